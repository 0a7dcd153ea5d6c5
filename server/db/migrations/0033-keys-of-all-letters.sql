-- A name without case, accents, spaces, punctuation, and invisible characters: two names are the same
-- if these match. Letters of every script stay, and so do emoji: "山田 Clinic" and "田中 Clinic" are
-- two employers.
create or replace function name_key(value text) returns text
  language sql immutable strict parallel safe
  return regexp_replace(
    public.fold(normalize(value, NFC)),
    '[\u0001-\u002f\u003a-\u0060\u007b-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7'
      || '\u02b0-\u036f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u206f\u20d0-\u20ff'
      || '\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020\u3030\u30fb\u3164\ufe00-\ufe6f\ufeff'
      || '\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\uffa0'
      || '\U000e0000-\U000e0fff]+',
    '', 'g');

-- Computes the stored keys again.
update employers set name = name where name_key <> name_key(name);
update position_titles set title = title where title_key <> name_key(title);
update scheduled_reviews set position_title = position_title
  where position_key <> name_key(position_title)
    or custom_employer_key <> name_key(custom_employer);
update reviews set position_title = position_title
  where position_key <> name_key(position_title)
    or name_key(employer_city) <> regexp_replace(fold(employer_city), '[^a-z0-9]+', '', 'g');
