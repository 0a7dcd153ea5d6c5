import { link, mkdir, readdir, readFile, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { Clock } from '#server/anonymity/coarse-time.ts';
import { makePrivate } from '#server/files/data-files.ts';
import type { Mailer } from './mailer.ts';

const StoredMail = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  sent_at: z.iso.datetime(),
  unsubscribeUrl: z.optional(z.string()),
});

export type OutboxMail = z.infer<typeof StoredMail> & { readonly id: string };

/** Stores mail on disk instead of sending it. `/dev/mail` shows what it holds. */
export interface Outbox extends Mailer {
  /** All mail, or one address's mail, newest first. */
  list(to?: string): Promise<OutboxMail[]>;
}

const KEPT = 500;
const NAME = /^\d{9}\.json$/;
const DRAFT = '.draft';

/**
 * Opens `DATA_DIR/outbox`: one numbered file per mail (mode 600), the newest 500. Several servers
 * may write at once: `link` never replaces an existing file.
 */
export async function openOutbox(dataDir: string, clock: Clock): Promise<Outbox> {
  const folder = path.join(dataDir, 'outbox');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Mail contains links and codes that grant access.
  makePrivate(folder);
  // Left by a server that was killed. Its jobs will write them again.
  for (const name of await readdir(folder)) {
    if (name.endsWith(DRAFT)) await unlink(path.join(folder, name)).catch(ignoreMissing);
  }
  const names = async () => (await readdir(folder)).filter((name) => NAME.test(name)).sort();
  // Cached, because finished files never change.
  const read = new Map<string, OutboxMail>();

  /** Gives a finished draft the next free number. */
  const publish = async (draft: string) => {
    const last = (await names()).at(-1);
    for (let number = last ? Number.parseInt(last, 10) + 1 : 1; ; number += 1) {
      const name = `${String(number).padStart(9, '0')}.json`;
      try {
        return await link(draft, path.join(folder, name));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
    }
  };

  const prune = async () => {
    for (const name of (await names()).slice(0, -KEPT)) {
      read.delete(name);
      await unlink(path.join(folder, name)).catch(ignoreMissing);
    }
  };

  const open = async (name: string): Promise<OutboxMail | null> => {
    const known = read.get(name);
    if (known) return known;
    const json = await readFile(path.join(folder, name), 'utf8').catch(ignoreMissing);
    if (json === undefined) return null;
    const mail = { id: path.parse(name).name, ...StoredMail.parse(JSON.parse(json)) };
    read.set(name, mail);
    return mail;
  };

  return {
    async send({ to, subject, text, html, unsubscribeUrl }) {
      const mail = { to, subject, text, html, unsubscribeUrl, sent_at: clock().toISOString() };
      const draft = path.join(folder, `${crypto.randomUUID()}${DRAFT}`);
      await writeFile(draft, JSON.stringify(mail), { mode: 0o600, flush: true });
      try {
        await publish(draft);
      } finally {
        await unlink(draft).catch(ignoreMissing);
      }
      await prune();
    },
    async list(to) {
      const mails = await Promise.all((await names()).reverse().map(open));
      const kept = mails.filter((mail) => mail !== null);
      return to === undefined ? kept : kept.filter((mail) => isSameAddress(mail.to, to));
    },
  };
}

const isSameAddress = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** A missing file is fine: another server removed it first. */
function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
