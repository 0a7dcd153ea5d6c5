const list = (text: string) => text.trim().split(/\n\s*/);

/** Sentences of generated reviews. `{n}` is a number, for rare words. */
export const SENTENCES = list(`
  The schedule is predictable and the call burden is shared fairly among the group.
  Administration listens to physicians, although changes arrive slowly.
  Nurses are experienced and the charge nurses run the floor well.
  Staffing has been thin since the last merger and nights are the worst.
  Compensation is below the regional median but the benefits make up for some of it.
  Productivity bonuses are transparent and paid every quarter.
  The electronic record is a burden and the scribes left last year.
  Mentorship for early career physicians is real and protected time is honored.
  Partners cover for each other when somebody has a family emergency.
  The emergency department boards patients for days and throughput suffers.
  Residents are treated as colleagues and the teaching conferences are worth attending.
  Visa sponsorship was handled by a good legal team without surprises.
  The relocation package was generous and paid on time.
  Leadership turnover made it hard to plan anything beyond six months.
  Operating room turnover is quick and anesthesia is collaborative.
  Subspecialty backup is available at all hours, including interventional cardiology.
  The clinic templates leave no room for complex patients.
  Parking is expensive and far away, which matters on a stormy night.
  Peer review is constructive and nobody is thrown under the bus.
  Hospital medicine and critical care work together closely.
  Contract renewals were tense and the non-compete clause is broad.
  Continuing education money is enough for two conferences every year.
  The community is friendly and the schools are fine for families.
  Locums fill too many of the weekend shifts.
  Research support exists on paper but not in practice.
  The transfer center takes most of the pain out of accepting patients.
  Call rooms are clean and the food is better than expected.
  Radiology reads come back fast, even overnight.
  Turnover among advanced practice providers has been high.
  I would send a friend here, with eyes open about the workload.
  Documentation queries number {n} pile up in the inbox.
  Committee work in program {n} is unpaid and expected.
`);

export const POSITIONS = [
  'Hospitalist',
  'Attending Physician',
  'Emergency Physician',
  'Resident Physician',
  'Family Physician',
  'Anesthesiologist',
  'General Surgeon',
  'Pediatrician',
  'Psychiatrist',
  'Fellow',
  'Radiologist',
  'Nocturnist',
  'Intensivist',
  'Cardiologist',
  'Orthopedic Surgeon',
  'Neurologist',
  'OB/GYN Physician',
  'Pathologist',
  'Gastroenterologist',
  'Chief Resident',
  'Pulmonologist',
  'Urologist',
  'Dermatologist',
  'Medical Director',
] as const;
