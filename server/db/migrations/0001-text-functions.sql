-- How text is compared and searched. Some functions are deliberately not declared strict:
-- PostgreSQL would call those instead of inlining them.

create extension if not exists pg_trgm;
create extension if not exists unaccent;

-- Text as searches compare it: without accents and case. Declared immutable so that it can be
-- indexed: the dictionary named here never changes.
create function fold(value text) returns text
  language sql immutable strict parallel safe
  return lower(public.unaccent('public.unaccent'::regdictionary, value));

-- A name without case, accents, spaces, punctuation, and invisible characters: two names are the same
-- if these match. Letters of every script stay, and so do emoji: "山田 Clinic" and "田中 Clinic" are
-- two employers.
create function name_key(value text) returns text
  language sql immutable strict parallel safe
  return regexp_replace(
    public.fold(normalize(value, NFC)),
    '[\u0001-\u002f\u003a-\u0060\u007b-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7'
      || '\u02b0-\u036f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u206f\u20d0-\u20ff'
      || '\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020\u3030\u30fb\u3164\ufe00-\ufe6f\ufeff'
      || '\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\uffa0'
      || '\U000e0000-\U000e0fff]+',
    '', 'g');

-- The same for several values.
create function name_keys(names text[]) returns text[] language sql immutable strict parallel safe
  return array(select public.name_key(name) from unnest(names) as name);

-- array_to_string() is only stable, because of types whose text depends on settings.
create function joined(parts text[]) returns text language sql immutable strict parallel safe
  return array_to_string(parts, ' ');

-- Text as the words that a search can match: "St. Mary's" -> "st marys".
create function plain_words(value text) returns text
  language sql immutable parallel safe
  return trim(regexp_replace(translate(public.fold(value), '''`', ''), '[^a-z0-9]+', ' ', 'g'));

-- The first letters of a name, with and without its small words, marked so that they match no word:
-- "The Children's Hospital of Philadelphia" -> {=chop,=chp}.
create function name_initials(words text) returns text[]
  language sql immutable parallel safe
  return array[
    '=' || regexp_replace(regexp_replace(words, '^the ', ''), '(\w)\w* ?', '\1', 'g'),
    '=' || regexp_replace(
      regexp_replace(words, '\m(a|and|at|for|in|of|the)\M ?', '', 'g'), '(\w)\w* ?', '\1', 'g')
  ];

create function state_name(code text) returns text
  language sql immutable parallel safe
  return case code
    when 'AL' then 'alabama' when 'AK' then 'alaska' when 'AZ' then 'arizona'
    when 'AR' then 'arkansas' when 'CA' then 'california' when 'CO' then 'colorado'
    when 'CT' then 'connecticut' when 'DE' then 'delaware' when 'DC' then 'district of columbia'
    when 'FL' then 'florida' when 'GA' then 'georgia' when 'HI' then 'hawaii'
    when 'ID' then 'idaho' when 'IL' then 'illinois' when 'IN' then 'indiana'
    when 'IA' then 'iowa' when 'KS' then 'kansas' when 'KY' then 'kentucky'
    when 'LA' then 'louisiana' when 'ME' then 'maine' when 'MD' then 'maryland'
    when 'MA' then 'massachusetts' when 'MI' then 'michigan' when 'MN' then 'minnesota'
    when 'MS' then 'mississippi' when 'MO' then 'missouri' when 'MT' then 'montana'
    when 'NE' then 'nebraska' when 'NV' then 'nevada' when 'NH' then 'new hampshire'
    when 'NJ' then 'new jersey' when 'NM' then 'new mexico' when 'NY' then 'new york'
    when 'NC' then 'north carolina' when 'ND' then 'north dakota' when 'OH' then 'ohio'
    when 'OK' then 'oklahoma' when 'OR' then 'oregon' when 'PA' then 'pennsylvania'
    when 'RI' then 'rhode island' when 'SC' then 'south carolina' when 'SD' then 'south dakota'
    when 'TN' then 'tennessee' when 'TX' then 'texas' when 'UT' then 'utah'
    when 'VT' then 'vermont' when 'VA' then 'virginia' when 'WA' then 'washington'
    when 'WV' then 'west virginia' when 'WI' then 'wisconsin' when 'WY' then 'wyoming'
    when 'AS' then 'american samoa' when 'FM' then 'micronesia' when 'GU' then 'guam'
    when 'MH' then 'marshall islands' when 'MP' then 'northern mariana islands'
    when 'PR' then 'puerto rico' when 'PW' then 'palau' when 'VI' then 'virgin islands'
    else '' end;

-- A word and each of its forms with one letter left out. Two words that are one typo apart (a
-- letter wrong, missing, extra, or two swapped) have a form in common.
create function spellings(word text) returns text[]
  language sql immutable parallel safe
  return array(
    select distinct left(word, at - 1) || substr(word, at + 1)
    from generate_series(1, length(word) + 1) at
  );
