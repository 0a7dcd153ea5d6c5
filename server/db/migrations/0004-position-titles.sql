-- Suggestions for the position box; free text becomes one once three authors have used it.
create table position_titles (
  id integer generated always as identity primary key,
  title text not null,
  title_key text not null generated always as (name_key(title)) stored,
  constraint position_titles_key_unique unique (title_key)
);
create index position_titles_trigrams on position_titles using gin (fold(title) gin_trgm_ops);

insert into position_titles (title) values
  ('Attending Physician'), ('Hospitalist'), ('Nocturnist'), ('Emergency Physician'),
  ('Family Physician'), ('Primary Care Physician'), ('Internist'), ('Pediatrician'),
  ('Psychiatrist'), ('Anesthesiologist'), ('Radiologist'), ('Pathologist'), ('Neurologist'),
  ('Cardiologist'), ('Gastroenterologist'), ('Nephrologist'), ('Pulmonologist'),
  ('Endocrinologist'), ('Rheumatologist'), ('Infectious Disease Physician'),
  ('Hematologist/Oncologist'), ('Dermatologist'), ('General Surgeon'), ('Orthopedic Surgeon'),
  ('Neurosurgeon'), ('Cardiothoracic Surgeon'), ('Vascular Surgeon'), ('Plastic Surgeon'),
  ('Urologist'), ('Ophthalmologist'), ('Otolaryngologist'), ('OB/GYN Physician'),
  ('Intensivist'), ('Palliative Care Physician'), ('Physiatrist'), ('Urgent Care Physician'),
  ('Locum Tenens Physician'), ('Telemedicine Physician'), ('Resident Physician'),
  ('Chief Resident'), ('Fellow'), ('Medical Director'), ('Program Director'),
  ('Clinical Instructor'), ('Assistant Professor'), ('Associate Professor'), ('Professor');
