/** 'Dr. Ada Quist'. */
export const doctorName = (user: { first_name: string; last_name: string }) =>
  `Dr. ${user.first_name} ${user.last_name}`.trim();
