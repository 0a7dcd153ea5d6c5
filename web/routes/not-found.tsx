import { data } from 'react-router';

/** Whatever no other route answers: the error screen of web/root.tsx says so, with status 404. */
export function loader() {
  throw data(null, { status: 404 });
}

export default function NotFound() {
  return null;
}
