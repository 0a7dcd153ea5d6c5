/** 'Dr. Ada Quist'. Not in a larger file, because then every page would load all of that file. */
export const doctorName = (user: {
  first_name: string;
  last_name: string;
  /** Representatives have no doctor's title. */
  is_representative?: boolean;
}) => `${user.is_representative ? '' : 'Dr. '}${user.first_name} ${user.last_name}`.trim();
