/** A title typed into the first name, or nothing. */
const TITLE = /^((dr|prof)(\.| )\s*(?=\S))*/i;

/** 'Dr. Ada Quist'. Not in a larger file, because then every page would load all of that file. */
export const doctorName = (user: {
  first_name: string;
  last_name: string;
  /** Representatives have no doctor's title. */
  is_representative?: boolean;
}) =>
  `${user.is_representative ? user.first_name : user.first_name.replace(TITLE, 'Dr. ')} ${user.last_name}`.trim();
