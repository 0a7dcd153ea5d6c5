import { expect, test } from 'vitest';
import { addDoctor } from '#server/features/accounts/signup/new-account.ts';
import {
  codeFor,
  type Member,
  newDetails,
  PASSWORD,
  send,
} from '#server/features/accounts/testing/account-flows.ts';
import type { TestApp } from '#server/testing/app.ts';
import { newEmail, newNpi } from '#server/testing/factories.ts';
import { verifyNpi } from './registry-check.ts';
import { doctorOf, prove, serverWith } from './testing/claimants.ts';

const PROBES = 200;
/** Number of probes that are deleted and signed up again. */
const AGAIN = 20;

/** The responses to one sign-up, and the time of each step. */
interface Probe {
  isMember: boolean;
  said: unknown[];
  took: number[];
}

/** Shuffles the probes, so that their order reveals nothing. */
const shuffled = <T>(all: T[]): T[] =>
  all
    .map((one) => ({ one, place: Math.random() }))
    .toSorted((left, right) => left.place - right.place)
    .map(({ one }) => one);

/** Removes what differs between any two accounts. */
function alike(body: string, details: { email: string; npi: string }) {
  const text = body.replaceAll(details.email, 'EMAIL').replaceAll(details.npi, 'NPI');
  return text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .replaceAll(/"dr-[0-9a-f]{8}"/g, '"USERNAME"')
    .replaceAll(/"(access|refresh)":"[^"]+"/g, '"$1":"TOKEN"');
}

async function probe(server: TestApp, npi: string, isMember: boolean): Promise<Probe & Member> {
  const details = newDetails({ npi });
  const said: unknown[] = [];
  const took: number[] = [];
  const ask = async (path: string, payload: object, headers?: { authorization: string }) => {
    const from = process.hrtime.bigint();
    const answer = await send(server, path, payload, headers && { headers });
    took.push(Number(process.hrtime.bigint() - from) / 1e6);
    said.push([answer.statusCode, alike(answer.body, details)]);
    return answer;
  };
  await ask('/auth/register/', { action: 'create_account', ...details });
  const otp_code = await codeFor(server, details.email);
  const verify = { action: 'verify_otp', ...details, otp_code };
  const created = (await ask('/auth/register/', verify)).json();
  const headers = { authorization: `Bearer ${created.access}` };
  await server.jobs.idle();
  await ask('/verification/check/', {}, headers);
  await server.jobs.idle();
  const doctor = await doctorOf(server, { headers });
  said.push(alike(JSON.stringify(doctor), details));
  const member = { ...details, id: doctor.user.id, headers, ...created };
  return { ...member, isMember, said, took };
}

const mean = (all: number[]) => all.reduce((sum, one) => sum + one, 0) / all.length;
const spread = (all: number[]) => Math.sqrt(mean(all.map((one) => (one - mean(all)) ** 2)));

test('a hospital that probes 200 NPIs does not learn which of them are members', async () => {
  await using server = await serverWith('proof');
  const members = Array.from({ length: PROBES / 2 }, newNpi);
  for (const [at, npi] of members.entries()) {
    const person = { email: newEmail(), npi, first_name: 'Ada', last_name: 'Example' };
    const id = await addDoctor(server.deps, { ...person, password: null });
    await verifyNpi(server.deps)({ userId: id });
    if (at % 2 === 0) await prove(server, { id });
  }
  const others = Array.from({ length: PROBES / 2 }, newNpi);
  const asked = [
    ...members.map((npi) => ({ npi, isMember: true })),
    ...others.map((npi) => ({ npi, isMember: false })),
  ];
  const probes: Probe[] = [];
  for (const [at, { npi, isMember }] of shuffled(asked).entries()) {
    const first = await probe(server, npi, isMember);
    probes.push(first);
    if (at >= AGAIN) continue;
    const gone = await send(
      server,
      '/auth/delete-account/',
      { password: PASSWORD, reviews: 'keep' },
      first,
    );
    expect(gone.statusCode).toBe(200);
    probes.push(await probe(server, npi, isMember));
  }
  expect(new Set(probes.map(({ said }) => JSON.stringify(said))).size).toBe(1);
  for (const step of [0, 1, 2]) {
    const [inside, outside] = [true, false].map((isMember) =>
      probes.filter((one) => one.isMember === isMember).map(({ took }) => took[step] ?? 0),
    ) as [number[], number[]];
    const difference = Math.abs(mean(inside) - mean(outside));
    expect(difference).toBeLessThan(Math.max(spread(inside), spread(outside)));
  }
  // Each probe got its code. Members who proved their NPI were notified by mail.
  const told = new Set(server.mail.map(({ to }) => to));
  expect(told.size).toBe(probes.length + PROBES / 4);
}, 300_000);
