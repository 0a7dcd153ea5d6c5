/**
 * The physician specialties to choose from, named as in the Health Care Provider Taxonomy
 * (nucc.org, "Allopathic & Osteopathic Physicians"). Where the taxonomy has the same subspecialty
 * under several specialties, it is one entry with several codes. After the codes come aliases for
 * the specialty and its doctors, which match in lists and in position titles
 * (specialty-of-title.ts).
 */
const LIST = `
Addiction Medicine | 207RA0401X 207QA0401X 207LA0401X 2083A0300X 2084A0401X | addictionologist
Addiction Psychiatry | 2084P0802X | addiction psychiatrist
Adolescent Medicine | 2080A0000X 207QA0000X 207RA0000X |
Adult Congenital Heart Disease | 207RA0002X | achd
Advanced Heart Failure & Transplant Cardiology | 207RA0001X | heart failure, transplant cardiologist
Aerospace Medicine | 2083A0100X | flight surgeon
Allergy & Immunology | 207K00000X 207RA0201X | allergist immunologist, allergist, immunologist, allergy
Anatomic & Clinical Pathology | 207ZP0102X 207ZP0101X 207ZC0006X | pathology, pathologist
Anesthesiology | 207L00000X | anesthesiologist, anesthesia, anaesthesiology, cardiac anesthesiologist, obstetric anesthesiologist
Behavioral Neurology & Neuropsychiatry | 2084B0040X | behavioral neurologist, neuropsychiatrist
Blood Banking & Transfusion Medicine | 207ZB0001X | blood banking, transfusion medicine
Body Imaging | 2085B0100X | body imager, abdominal radiologist
Brain Injury Medicine | 2081P0301X 2084P0301X | brain injury
Cardiovascular Disease | 207RC0000X | cardiology, cardiologist, cardiovascular medicine
Child & Adolescent Psychiatry | 2084P0804X | child adolescent psychiatrist, child psychiatry, child psychiatrist
Child Abuse Pediatrics | 2080C0008X | child abuse pediatrician
Child Neurology | 2084N0402X | child neurologist, pediatric neurology, pediatric neurologist
Clinical Cardiac Electrophysiology | 207RC0001X | cardiac electrophysiology, cardiac electrophysiologist, electrophysiology, electrophysiologist
Clinical Genetics | 207SG0201X | medical genetics, medical geneticist, geneticist, genetics
Clinical Informatics | 207ZC0008X 2083C0008X | medical informatics
Clinical Neurophysiology | 2084N0600X | neurophysiologist
Clinical Pharmacology | 208U00000X | clinical pharmacologist
Colon & Rectal Surgery | 208C00000X | colorectal surgery, colorectal surgeon
Complex Family Planning | 207VC0300X |
Consultation-Liaison Psychiatry | 2084P0015X | consultation liaison, consult liaison, psychosomatic medicine
Cornea & External Diseases | 207WX0120X | cornea specialist, cornea surgeon
Critical Care Medicine | 207RC0200X 207LC0200X | critical care, intensive care, intensivist, icu
Cytopathology | 207ZC0500X | cytopathologist
Dermatology | 207N00000X | dermatologist, procedural dermatologist
Dermatopathology | 207ZD0900X 207ND0900X | dermatopathologist
Developmental-Behavioral Pediatrics | 2080P0006X | developmental behavioral pediatrician, developmental pediatrician
Diagnostic Radiology | 2085R0202X | radiology, radiologist, teleradiologist, teleradiology, breast radiologist, breast imaging
Emergency Medical Services | 207PE0004X | ems, ems physician
Emergency Medicine | 207P00000X | emergency physician, emergency department, emergency room, emergency, er physician, er doctor, er, em
Endocrinology, Diabetes & Metabolism | 207RE0101X | endocrinology, endocrinologist, diabetologist
Epilepsy | 2084E0001X | epileptologist, epilepsy specialist
Facial Plastic Surgery | 207YX0007X 207YX0905X | facial plastic surgeon
Family Medicine | 207Q00000X | family physician, family practice, family doctor, family practitioner
Foot & Ankle Surgery | 207XX0004X | foot ankle surgeon
Forensic Pathology | 207ZF0201X | forensic pathologist, medical examiner
Forensic Psychiatry | 2084F0202X | forensic psychiatrist
Gastroenterology | 207RG0100X | gastroenterologist, gi, endoscopy
General Practice | 208D00000X | general practitioner
Geriatric Medicine | 207RG0300X 207QG0300X | geriatrician, geriatrics
Geriatric Psychiatry | 2084P0805X | geriatric psychiatrist
Glaucoma | 207WX0009X | glaucoma specialist
Gynecologic Oncology | 207VX0201X | gynecologic oncologist, gyn oncology, gyn oncologist
Gynecology | 207VG0400X | gynecologist
Hand Surgery | 207XS0106X 2082S0105X 2086S0105X | hand surgeon
Hematology | 207RH0000X | hematologist
Hematology & Oncology | 207RH0003X | hematologist oncologist, hematology oncology, heme onc, hem onc
Hematopathology | 207ZH0000X | hematopathologist
Hepatology | 207RI0008X | hepatologist
Hospice & Palliative Medicine | 207RH0002X 207QH0002X 207LH0002X 207PH0002X 2084H0002X | hospice, palliative care, palliative medicine, palliative
Hospital Medicine | 208M00000X | hospitalist, nocturnist, inpatient medicine
Infectious Disease | 207RI0200X | infectious diseases
Integrative Medicine | 202D00000X |
Internal Medicine | 207R00000X | internist, general medicine, medicine resident, medical resident, medicine pediatrics, med peds
Interventional Cardiology | 207RI0011X | interventional cardiologist, structural cardiologist
Interventional Pain Medicine | 208VP0014X | interventional pain
Interventional Radiology | 2085R0204X | interventional radiologist, vascular interventional radiology
Maternal & Fetal Medicine | 207VM0101X | maternal fetal medicine, perinatologist, mfm
Medical Microbiology | 207ZM0300X |
Medical Oncology | 207RX0202X | oncology, oncologist, medical oncologist
Medical Toxicology | 207PT0002X 2080T0002X 2083T0002X | toxicologist, toxicology
Mohs Micrographic Surgery | 207ND0101X | mohs surgeon, mohs, micrographic dermatologic surgery
Molecular Genetic Pathology | 207ZP0007X 207SM0001X | molecular pathologist
Neonatal-Perinatal Medicine | 2080N0001X | neonatology, neonatologist, neonatal intensive care, nicu
Nephrology | 207RN0300X | nephrologist
Neurocritical Care | 2084A2900X | neurointensivist, neuro icu
Neurodevelopmental Disabilities | 2080P0008X |
Neurological Surgery | 207T00000X | neurosurgery, neurosurgeon, neurologic surgery
Neurology | 2084N0400X | neurologist
Neuromuscular Medicine | 2084N0008X 2081N0008X | neuromuscular
Neuromusculoskeletal Medicine & OMM | 204D00000X | osteopathic manipulative medicine, omm
Neuro-Ophthalmology | 207WX0109X | neuro ophthalmologist
Neuropathology | 207ZN0500X | neuropathologist
Neuroradiology | 2085N0700X | neuroradiologist
Nuclear Medicine | 207U00000X 2085N0904X | nuclear radiology, nuclear radiologist
Obesity Medicine | 207RB0002X 207QB0002X 2080B0002X 2083B0002X 207VB0002X | bariatric medicine, bariatrician
Obstetrics | 207VX0000X | obstetrician
Obstetrics & Gynecology | 207V00000X | obstetrician gynecologist, ob gyn, obgyn, laborist
Occupational Medicine | 2083X0100X 2083P0500X | occupational health
Ophthalmic Plastic & Reconstructive Surgery | 207WX0200X | oculoplastic surgeon, oculoplastics
Ophthalmology | 207W00000X | ophthalmologist, eye surgeon
Oral & Maxillofacial Surgery | 204E00000X | oral maxillofacial surgeon, oral surgeon
Orthopaedic Surgery | 207X00000X | orthopedic surgery, orthopedic surgeon, orthopaedic surgeon, orthopedics, orthopaedics, joint replacement
Orthopaedic Trauma | 207XX0801X | orthopedic trauma, orthopedic trauma surgeon, orthopaedic trauma surgeon
Otolaryngology | 207Y00000X | otolaryngologist, ent, ent surgeon, head neck surgery, head neck surgeon
Otology & Neurotology | 207YX0901X | otologist, neurotologist
Pain Medicine | 208VP0000X 207LP2900X 2081P2900X 2084P2900X | pain management, pain physician, pain specialist
Pediatric Allergy & Immunology | 2080P0201X | pediatric allergist
Pediatric Anesthesiology | 207LP3000X | pediatric anesthesiologist, pediatric anesthesia
Pediatric Cardiology | 2080P0202X | pediatric cardiologist
Pediatric Critical Care Medicine | 2080P0203X | pediatric critical care, pediatric intensivist, picu
Pediatric Dermatology | 207NP0225X | pediatric dermatologist
Pediatric Emergency Medicine | 2080P0204X 207PP0204X | pediatric emergency physician, pediatric emergency
Pediatric Endocrinology | 2080P0205X | pediatric endocrinologist
Pediatric Gastroenterology | 2080P0206X | pediatric gastroenterologist, pediatric gi
Pediatric Hematology-Oncology | 2080P0207X | pediatric hematologist oncologist, pediatric oncologist, pediatric hematologist, pediatric oncology
Pediatric Infectious Diseases | 2080P0208X | pediatric infectious disease
Pediatric Nephrology | 2080P0210X | pediatric nephrologist
Pediatric Ophthalmology & Strabismus | 207WX0110X | pediatric ophthalmology, pediatric ophthalmologist
Pediatric Orthopaedic Surgery | 207XP3100X | pediatric orthopedic surgery, pediatric orthopedic surgeon, pediatric orthopedics
Pediatric Otolaryngology | 207YP0228X | pediatric otolaryngologist, pediatric ent
Pediatric Pathology | 207ZP0213X | pediatric pathologist
Pediatric Pulmonology | 2080P0214X | pediatric pulmonologist
Pediatric Radiology | 2085P0229X | pediatric radiologist
Pediatric Rehabilitation Medicine | 2081P0010X | pediatric physiatrist
Pediatric Rheumatology | 2080P0216X | pediatric rheumatologist
Pediatric Surgery | 2086S0120X | pediatric surgeon
Pediatric Transplant Hepatology | 2080T0004X | pediatric hepatologist
Pediatric Urology | 2088P0231X | pediatric urologist
Pediatrics | 208000000X | pediatrician, pediatric hospitalist, pediatric, paediatrics, peds
Physical Medicine & Rehabilitation | 208100000X | physiatrist, physiatry, rehabilitation medicine, rehabilitation physician
Plastic Surgery | 208200000X 2086S0122X | plastic surgeon, burn surgeon, reconstructive surgeon
Psychiatry | 2084P0800X | psychiatrist
Public Health & General Preventive Medicine | 2083P0901X | preventive medicine, public health, health officer
Pulmonary Disease | 207RP1001X | pulmonology, pulmonologist, pulmonary medicine, pulmonary critical care, pulmonary critical care medicine, pulmonary, pccm
Radiation Oncology | 2085R0001X 2085R0203X | radiation oncologist
Reproductive Endocrinology & Infertility | 207VE0102X | reproductive endocrinology, reproductive endocrinologist, fertility specialist
Retina | 207WX0107X | retina specialist, retina surgeon, vitreoretinal surgeon
Rheumatology | 207RR0500X | rheumatologist
Sleep Medicine | 207RS0012X 207QS1201X 2080S0012X 2084S0012X 207YS0012X | sleep physician, sleep specialist
Spinal Cord Injury Medicine | 2081P0004X | spinal cord injury
Spine Surgery | 207XS0117X | spine surgeon
Sports Medicine | 207QS0010X 207RS0010X 2080S0010X 2081S0010X 207PS0010X 207XX0005X 2083S0010X | sports physician
Surgery | 208600000X | general surgery, general surgeon, surgeon, surgical, acute care surgery, acute care surgeon, bariatric surgeon, breast surgeon
Surgical Critical Care | 2086S0102X | surgical intensivist, sicu
Surgical Oncology | 2086X0206X | surgical oncologist
Thoracic Surgery | 208G00000X | cardiothoracic surgery, cardiothoracic surgeon, thoracic surgeon, cardiac surgery, cardiac surgeon, heart surgeon
Transplant Hepatology | 207RT0003X | transplant hepatologist
Transplant Surgery | 204F00000X | transplant surgeon
Trauma Surgery | 2086S0127X | trauma surgeon, trauma faculty
Undersea & Hyperbaric Medicine | 207PE0005X 2083P0011X | hyperbaric medicine
Urogynecology | 207VF0040X 2088F0040X | urogynecologist, female pelvic medicine, pelvic surgery
Urology | 208800000X | urologist, urologic surgeon
Vascular Neurology | 2084V0102X | vascular neurologist, stroke neurologist, stroke
Vascular Surgery | 2086S0129X | vascular surgeon
`;

export interface Specialty {
  readonly name: string;
  /** In the Health Care Provider Taxonomy. */
  readonly codes: readonly string[];
  readonly aliases: readonly string[];
}

const partsOf = (text: string, separator: string) =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter(Boolean);

/** In alphabetical order. */
export const SPECIALTIES: readonly Specialty[] = partsOf(LIST, '\n').map((line) => {
  const [name = '', codes = '', aliases = ''] = line.split('|').map((part) => part.trim());
  return { name, codes: partsOf(codes, ' '), aliases: partsOf(aliases, ',') };
});

export const SPECIALTY_NAMES: readonly string[] = SPECIALTIES.map(({ name }) => name);
