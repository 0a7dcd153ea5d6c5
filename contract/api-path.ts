import type { QueryValue, Target } from './endpoint.ts';

export type Query = Readonly<Record<string, QueryValue>>;

/** Appends to the query string. Leaves out what is empty, null, or undefined. */
export function withQuery(path: string, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
  }
  if (search.size === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${search}`;
}

export interface ApiPathInput {
  params?: Readonly<Record<string, string | number>>;
  query?: Query;
}

/** The path of an endpoint (contract/endpoints) under `/api`. */
export const apiPath = (
  { path }: Pick<Target, 'path'>,
  { params = {}, query }: ApiPathInput = {},
) =>
  withQuery(
    path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? '')),
    query,
  );

/** As `URL.parse`, which browsers before 2024 do not have. */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
