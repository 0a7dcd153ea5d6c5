-- Suggestions for the position box: a curated list, and the titles of enough published reviews. A
-- nightly job refreshes the latter; the rule is in server/features/position-titles.
create table position_titles (
  id integer generated always as identity primary key,
  title text not null,
  title_key text not null generated always as (name_key(title)) stored,
  -- curated titles stay, whatever the reviews say
  curated boolean not null default false,
  constraint position_titles_key_unique unique (title_key)
);
create index position_titles_trigrams on position_titles using gin (fold(title) gin_trgm_ops);

insert into position_titles (title, curated)
select title, true from (values
  -- General
  ('Attending Physician'), ('Staff Physician'), ('Hospitalist'), ('Nocturnist'),
  ('Pediatric Hospitalist'), ('OB/GYN Hospitalist'), ('Locum Tenens Physician'),
  ('Locum Tenens Hospitalist'), ('Per Diem Physician'), ('Telemedicine Physician'),
  ('Urgent Care Physician'), ('Emergency Physician'), ('Pediatric Emergency Physician'),
  ('Primary Care Physician'), ('Family Physician'), ('Internist'), ('Geriatrician'),
  ('Pediatrician'), ('Adolescent Medicine Physician'), ('Medicine-Pediatrics Physician'),
  ('Occupational Medicine Physician'), ('Preventive Medicine Physician'), ('Hospice Physician'),
  ('Palliative Care Physician'), ('Wound Care Physician'), ('Addiction Medicine Physician'),
  ('Sports Medicine Physician'), ('Pain Medicine Physician'), ('Sleep Medicine Physician'),
  ('Physiatrist'),
  -- Anesthesia and critical care
  ('Anesthesiologist'), ('Cardiac Anesthesiologist'), ('Pediatric Anesthesiologist'),
  ('Obstetric Anesthesiologist'), ('Intensivist'), ('Pediatric Intensivist'), ('Neurointensivist'),
  ('Neonatologist'),
  -- Medicine and its specialties
  ('Cardiologist'), ('Interventional Cardiologist'), ('Cardiac Electrophysiologist'),
  ('Heart Failure Cardiologist'), ('Pediatric Cardiologist'), ('Gastroenterologist'),
  ('Pediatric Gastroenterologist'), ('Hepatologist'), ('Nephrologist'), ('Pediatric Nephrologist'),
  ('Pulmonologist'), ('Pediatric Pulmonologist'), ('Endocrinologist'),
  ('Pediatric Endocrinologist'), ('Rheumatologist'), ('Infectious Disease Physician'),
  ('Hematologist'), ('Oncologist'), ('Hematologist/Oncologist'),
  ('Pediatric Hematologist/Oncologist'), ('Radiation Oncologist'), ('Gynecologic Oncologist'),
  ('Allergist/Immunologist'), ('Medical Geneticist'), ('Dermatologist'),
  ('Pediatric Dermatologist'), ('Mohs Surgeon'),
  -- Neurology and psychiatry
  ('Neurologist'), ('Vascular Neurologist'), ('Epileptologist'), ('Pediatric Neurologist'),
  ('Developmental-Behavioral Pediatrician'), ('Psychiatrist'),
  ('Child and Adolescent Psychiatrist'), ('Addiction Psychiatrist'), ('Geriatric Psychiatrist'),
  ('Forensic Psychiatrist'), ('Consultation-Liaison Psychiatrist'),
  -- Radiology and pathology
  ('Radiologist'), ('Interventional Radiologist'), ('Neuroradiologist'), ('Pediatric Radiologist'),
  ('Breast Radiologist'), ('Teleradiologist'), ('Nuclear Medicine Physician'), ('Pathologist'),
  ('Forensic Pathologist'), ('Hematopathologist'), ('Dermatopathologist'), ('Medical Examiner'),
  -- Surgery, and obstetrics and gynecology
  ('General Surgeon'), ('Acute Care Surgeon'), ('Trauma Surgeon'), ('Bariatric Surgeon'),
  ('Breast Surgeon'), ('Burn Surgeon'), ('Colorectal Surgeon'), ('Surgical Oncologist'),
  ('Cardiothoracic Surgeon'), ('Thoracic Surgeon'), ('Vascular Surgeon'), ('Transplant Surgeon'),
  ('Pediatric Surgeon'), ('Plastic Surgeon'), ('Hand Surgeon'), ('Orthopedic Surgeon'),
  ('Orthopedic Trauma Surgeon'), ('Spine Surgeon'), ('Foot and Ankle Surgeon'), ('Neurosurgeon'),
  ('Urologist'), ('Pediatric Urologist'), ('Ophthalmologist'), ('Retina Specialist'),
  ('Otolaryngologist'), ('Head and Neck Surgeon'), ('Oral and Maxillofacial Surgeon'), ('OB/GYN'),
  ('Obstetrician'), ('Gynecologist'), ('Maternal-Fetal Medicine Specialist'),
  ('Reproductive Endocrinologist'), ('Urogynecologist'),
  -- Residents
  ('Intern'), ('Resident Physician'), ('Chief Resident'), ('PGY-1 Resident'), ('PGY-2 Resident'),
  ('PGY-3 Resident'), ('PGY-4 Resident'), ('PGY-5 Resident'), ('Transitional Year Resident'),
  ('Anesthesiology Resident'), ('Emergency Medicine Resident'), ('Family Medicine Resident'),
  ('General Surgery Resident'), ('Internal Medicine Resident'), ('Medicine-Pediatrics Resident'),
  ('Neurology Resident'), ('OB/GYN Resident'), ('Orthopedic Surgery Resident'),
  ('Pathology Resident'), ('Pediatrics Resident'), ('Psychiatry Resident'), ('Radiology Resident'),
  -- Fellows
  ('Fellow'), ('Chief Fellow'), ('Cardiology Fellow'), ('Critical Care Fellow'),
  ('Gastroenterology Fellow'), ('Geriatric Medicine Fellow'), ('Hematology/Oncology Fellow'),
  ('Infectious Disease Fellow'), ('Nephrology Fellow'), ('Pulmonary and Critical Care Fellow'),
  ('Research Fellow'),
  -- Faculty and leadership
  ('Clinical Instructor'), ('Assistant Professor'), ('Associate Professor'), ('Professor'),
  ('Core Faculty'), ('Teaching Attending'), ('Physician-Scientist'), ('Program Director'),
  ('Associate Program Director'), ('Clerkship Director'), ('Medical Director'),
  ('Associate Medical Director'), ('Section Chief'), ('Division Chief'), ('Department Chair'),
  ('Chief of Staff'), ('Chief Medical Officer'), ('Chief Medical Information Officer'),
  ('Physician Advisor')
) as given (title);
