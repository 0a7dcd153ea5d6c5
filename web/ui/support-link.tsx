const SUPPORT_EMAIL = 'support@curbside.example';

/** The email address of the people who run the site. */
export function SupportLink() {
  return (
    <a href={`mailto:${SUPPORT_EMAIL}`} className="prose-link wrap-anywhere">
      {SUPPORT_EMAIL}
    </a>
  );
}
