/** 'Dr. Ada Quist'. Not in format.ts, all of which every page would then load. */
export const doctorName = (user: {
  first_name: string;
  last_name: string;
  /** Has no doctor's title. */
  is_representative?: boolean;
}) => `${user.is_representative ? '' : 'Dr. '}${user.first_name} ${user.last_name}`.trim();
