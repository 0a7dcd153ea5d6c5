import { sql } from 'kysely';
import { toDay } from '#server/anonymity/coarse-time.ts';
import { codeOf } from '#server/features/office/testing/second-factor.ts';
import { unsubscribeUrl } from '#server/features/saved/unsubscribe.ts';
import { openLetter } from '#server/features/verification/letters/letter.ts';
import type { TestApp } from '#server/testing/app.ts';
import { newNpi, type TestAccount } from '#server/testing/factories.ts';
import { Accounts } from './accounts.ts';
import type { Role } from './roles.ts';
import { Stock } from './stock.ts';
import { madeOnce, type Story } from './story.ts';
import { CANARY } from './texts.ts';

/** The domain of the institution whose mailboxes verify accounts. */
export const HOSPITAL = 'hospital.example';
/** Number of mails to keep. */
const MAX_MAILS = 200;

/** Resolves the placeholders in requests. */
export class World {
  readonly accounts: Accounts;
  readonly stock: Stock;
  readonly #server: TestApp;
  #serial = 0;

  private constructor(server: TestApp, accounts: Accounts, stock: Stock) {
    this.#server = server;
    this.accounts = accounts;
    this.stock = stock;
  }

  static async open(server: TestApp): Promise<World> {
    const accounts = await Accounts.open(server);
    const domain = { domain: HOSPITAL, kind: 'employer', name: 'Sample Hospital' };
    await server.deps.db.insertInto('institution_domains').values(domain).execute();
    return new World(server, accounts, await Stock.open(server, accounts));
  }

  /** Replaces what requests have used up, and deletes old mail. */
  async tidy(): Promise<void> {
    const { mail } = this.#server;
    mail.splice(0, Math.max(0, mail.length - MAX_MAILS));
    await this.stock.tidy();
  }

  /** Replaces the placeholders in a text. */
  async resolve(text: string, role: Role, story: Story): Promise<string> {
    const parts = text.split(/\{\{([\w-]+:?[\w-]*)\}\}/);
    for (let at = 1; at < parts.length; at += 2) {
      const [name = '', which = '0'] = (parts[at] ?? '').split(':');
      parts[at] = await this.#value(name, which, role, story);
    }
    return parts.join('');
  }

  async #value(name: string, which: string, role: Role, story: Story): Promise<string> {
    const id = this.stock.idOf(name, Number(which), role);
    if (id !== null) return id;
    const subject = () => this.accounts.subject(role, story);
    switch (name) {
      case 'last':
        return story.last;
      case 'user':
        return (await subject()).userId;
      case 'email':
        return (await subject()).email;
      case 'refresh':
        return this.accounts.refreshToken(await subject());
      case 'npi':
        return madeOnce(story, `npi ${which}`, newNpi);
      case 'fresh':
        return madeOnce(story, `fresh ${which}`, () => `${CANARY}${++this.#serial}`);
      case 'code':
        return this.#mailed(story, /\b(\d{6})\b/, '000000');
      case 'letter':
        return this.#letterCode(await subject());
      case 'unsubscribe': {
        const url = unsubscribeUrl(this.#server.deps, (await subject()).userId);
        return new URL(url).searchParams.get('token') ?? '';
      }
      case 'look':
        return this.#secondLook(story.last);
      case 'setup':
        return story.factor?.setup ?? 'x';
      case 'totp':
        return story.factor
          ? codeOf(story.factor.secret, this.#server.time.now, Number(which))
          : '000000';
      case 'token':
        return this.#mailed(story, new RegExp(`/${which}\\?\\S*token=([\\w-]+)`), 'x');
      case 'uidb64':
        return this.#mailed(story, /uidb64=([\w-]+)/, 'x');
      default:
        return `{{${name}}}`;
    }
  }

  /** The case of a second look at a review, as if the review had been drawn. */
  async #secondLook(reviewId: string): Promise<string> {
    const { rows } = await sql<{ id: string }>`
      insert into cases (kind, review_id, priority, opened_on)
        select 'second_look', id, 3, current_date from reviews
        where id::text = ${reviewId} for key share
      on conflict do nothing returning id`.execute(this.#server.deps.db);
    return rows[0]?.id ?? reviewId;
  }

  /** The code on the letter to an account, which this prints first. */
  async #letterCode({ userId }: TestAccount): Promise<string> {
    const { db, keys, clock } = this.#server.deps;
    const row = await db
      .updateTable('letters')
      .set({ printed_on: toDay(clock()) })
      .where('user_id', '=', userId)
      .returningAll()
      .executeTakeFirst();
    return (row && openLetter(keys, row)?.page?.code) ?? 'ABCDE-FGHJK';
  }

  /** Waits for all mail to be sent, and searches the newest mail to anyone in the story. */
  async #mailed(story: Story, pattern: RegExp, otherwise: string): Promise<string> {
    const { jobs, mail } = this.#server;
    await jobs.idle();
    const addresses = [...story.made.values(), story.member?.email ?? '-'];
    const found = mail
      .filter(({ to }) => addresses.some((address) => to.startsWith(address)))
      .map(({ text }) => text.match(pattern)?.[1])
      .findLast((value) => value !== undefined);
    return found ?? otherwise;
  }
}
