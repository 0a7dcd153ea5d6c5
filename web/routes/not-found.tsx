import { data } from 'react-router';

/** Any URL that no other route matches. The ErrorBoundary of page.tsx renders the 404. */
export function loader() {
  throw data(null, { status: 404 });
}

export default function NotFound() {
  return null;
}
