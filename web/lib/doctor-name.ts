/** 'Dr. Ada Quist'. Not in format.ts, all of which every page would then load. */
export const doctorName = (user: { first_name: string; last_name: string }) =>
  `Dr. ${user.first_name} ${user.last_name}`.trim();
