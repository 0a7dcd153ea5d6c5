import type { AccountDeletionRequest } from '#contract/member/account-data.ts';
import type { OwnReview, Review } from '#contract/reviews/reviews.ts';
import { linkFor } from '#server/features/accounts/testing/account-flows.ts';
import { reviewOf } from '#server/testing/factories.ts';
import { type Member, voteUrl, type World } from './world.ts';

export interface Deed {
  /** How often it happens, relative to the other actions. */
  readonly weight: number;
  readonly run: (world: World, member: Member) => Promise<unknown>;
}

/** Posts a review of any employer, and returns the employer's id. */
export async function write(world: World, member: Member, publish?: 'later') {
  const { random, employers, authors, scheduled, request } = world;
  const review = reviewOf(random.pick(employers), {
    overall_rating: 1 + random.below(5),
    position_title: `Position ${random.below(9)}`,
    review_text: Array.from({ length: 40 }, () => random.letters(5)).join(' '),
    ...(publish && { publish }),
  });
  const response = await request(member, 'POST', '/reviews/', review);
  if (response.statusCode !== 201) return;
  const { id, status, employer } = response.json<Partial<OwnReview> & Review>();
  (status === 'scheduled' ? scheduled : authors).set(id, member.userId);
  return employer.id;
}

async function logIn({ send, hold }: World, member: Member, password: string) {
  const { email } = member.person;
  const response = await send(member.person, 'POST', '/auth/login/', { email, password });
  if (response.statusCode === 200) hold(member, response.json());
}

async function vote({ random, others, anyVote, votes, request }: World, member: Member) {
  const { userId } = member;
  const [reviewId, kind] = [random.pick(others(member)), anyVote()];
  const response = await request(member, 'POST', voteUrl(reviewId, kind));
  if (response.statusCode !== 200) return;
  const before = votes.find((one) => one.reviewId === reviewId && one.userId === userId);
  if (before) before.kind = kind;
  else votes.push({ reviewId, userId, kind });
}

async function changeEmail(world: World, member: Member) {
  const { random, server, request, send } = world;
  const { person, userId } = member;
  if (person.former_email !== undefined) return;
  const email = `${random.letters(12)}@${random.letters(9)}.example`;
  const { password } = person;
  const asked = await request(member, 'PATCH', `/users/${userId}/`, { email, password });
  if (asked.statusCode !== 200) throw new Error(asked.body);
  const { token } = await linkFor(server, email, '/confirm-email');
  const confirmed = await send(person, 'POST', '/auth/email/confirm/', { token });
  if (confirmed.statusCode !== 200) throw new Error(confirmed.body);
  Object.assign(person, { email, former_email: person.email });
}

async function report({ random, others, reports, request }: World, member: Member) {
  const reviewId = random.pick(others(member));
  const fields = { reason: 'other', note: random.letters(20) };
  const response = await request(member, 'POST', `/reviews/${reviewId}/report/`, fields);
  if (response.statusCode < 300) reports.push({ reviewId, userId: member.userId });
}

/** A representative replies to one of the employer's public reviews. */
async function reply({ random, speakers, server, reply: write }: World) {
  const { employer, userId } = random.pick(speakers);
  const listed = await server.app.inject({ url: `/api/employers/${employer}/reviews/` });
  const open = (listed.json<{ results?: Review[] }>().results ?? []).filter((one) => !one.reply);
  if (open.length > 0) await write(userId, random.pick(open).id, random.letters(60));
}

async function reportReply({ random, replied, replyReports, request }: World, member: Member) {
  if (replied.size === 0) return;
  const reviewId = random.pick([...replied]);
  const fields = { reason: 'other', note: random.letters(20) };
  const response = await request(member, 'POST', `/reviews/${reviewId}/reply/report/`, fields);
  if (response.statusCode < 300) replyReports.push({ reviewId, userId: member.userId });
}

/** Deletes the account. Its reviews stay, are deleted, or are deleted one by one. */
export async function leave(
  world: World,
  member: Member,
  reviews: AccountDeletionRequest['reviews'],
) {
  const { members, authors, scheduled, leftBehind, departed, own, request } = world;
  const { votes, reports, replyReports } = world;
  const { password } = member.person;
  const left = await request(member, 'POST', '/auth/delete-account/', { password, reviews });
  if (left.statusCode !== 200) throw new Error(left.body);
  const ids = own(member);
  if (reviews !== 'delete') leftBehind.push(ids);
  if (reviews !== 'delete') departed.push({ person: member.person, ids });
  for (const id of ids) authors.delete(id);
  for (const id of own(member, scheduled)) scheduled.delete(id);
  // Nobody can tell anymore who cast these votes and reports.
  for (const deeds of [votes, reports, replyReports]) {
    for (let at = deeds.length - 1; at >= 0; at -= 1) {
      if (deeds[at]?.userId === member.userId) deeds.splice(at, 1);
    }
  }
  members.splice(members.indexOf(member), 1);
}

async function moderate({ random, authors, administer }: World, change: 'keep' | 'remove') {
  const id = random.pick([...authors.keys()]);
  const payload = change === 'remove' ? { reason: 'Not a review' } : undefined;
  await administer(`/reviews/${id}/${change}/`, payload);
}

/** An owner records a legal demand about a review, whose letter names its author, and decides it. */
async function demand({ random, authors, members, administer, server }: World) {
  const review = random.pick([...authors.keys()]);
  const received_on = server.time.now.toISOString().slice(0, 10);
  const recorded = await administer('/legal-demands/', { kind: 'subpoena', received_on, review });
  if (recorded.statusCode !== 201) return;
  const { id } = recorded.json<{ id: string }>();
  const author = members.find(({ userId }) => userId === authors.get(review))?.person;
  const letter = Buffer.from(`%PDF-1.7 ${JSON.stringify(author)}`);
  const added = await administer(`/legal-demands/${id}/document/`, letter);
  if (added.statusCode !== 200) throw new Error(`a document was refused: ${added.body}`);
  const decision = { outcome: 'unable', note: 'We cannot tell.' };
  await administer(`/legal-demands/${id}/decide/`, decision);
}

/** A doctor reviews an employer that is not listed. A curator rejects it, and may undo that. */
async function nameBogus({ random, authors, administer, request }: World, member: Member) {
  const review = reviewOf(0, {
    employer: random.letters(12),
    is_custom_employer: 'true',
    review_text: random.letters(60),
  });
  const written = await request(member, 'POST', '/reviews/', review);
  if (written.statusCode !== 201) return;
  const { id, employer } = written.json<Review>();
  authors.set(id, member.userId);
  const url = `/employers/${employer.id}`;
  await administer(`${url}/reject/`, { rejection: 'unknown', note: random.letters(12) });
  if (random.below(2) === 0) await administer(`${url}/unreject/`, { reason: random.letters(12) });
}

/** A moderator holds one of the member's reviews, and the member appeals. */
async function appeal({ random, own, administer, request }: World, member: Member) {
  const [id] = own(member);
  if (!id) return;
  const held = await administer(`/reviews/${id}/hold/`, { reason: 'Not a review' });
  if (held.statusCode !== 200) return;
  await request(member, 'POST', `/reviews/${id}/appeal/`, { text: random.letters(60) });
}

/** What an existing member may do next. */
export const DEEDS: Readonly<Record<string, Deed>> = {
  refresh: { weight: 4, run: ({ renew }, member) => renew(member) },
  logIn: { weight: 2, run: (world, member) => logIn(world, member, member.person.password) },
  mistype: { weight: 2, run: (world, member) => logIn(world, member, 'Wrong-1') },
  write: { weight: 5, run: (world, member) => write(world, member) },
  edit: {
    weight: 5,
    async run({ random, own, request }, member) {
      const [id] = own(member);
      if (!id) return;
      await request(member, 'PATCH', `/reviews/${id}/`, {
        ...reviewOf(0, { position_title: `Position ${random.below(9)} again` }),
        review_text: `Edited: ${random.letters(60)}`,
      });
    },
  },
  vote: { weight: 10, run: vote },
  turnVote: {
    weight: 4,
    async run({ votes, request }, member) {
      const found = votes.find(({ userId }) => userId === member.userId);
      if (!found) return;
      found.kind = found.kind === 'helpful' ? 'not_helpful' : 'helpful';
      await request(member, 'POST', voteUrl(found.reviewId, found.kind));
    },
  },
  unvote: {
    weight: 2,
    async run({ votes, request }, member) {
      const at = votes.findIndex(({ userId }) => userId === member.userId);
      const [found] = at >= 0 ? votes.splice(at, 1) : [];
      if (found) await request(member, 'DELETE', voteUrl(found.reviewId, found.kind));
    },
  },
  report: { weight: 9, run: report },
  reply: { weight: 3, run: reply },
  reportReply: { weight: 7, run: reportReply },
  save: {
    weight: 4,
    run: ({ random, employers, request }, member) =>
      request(member, 'POST', '/saved/', { entries: [`/employers/${random.pick(employers)}`] }),
  },
  correct: {
    weight: 3,
    async run(world, member) {
      const { random, request } = world;
      // People who know an employer are likely to review it.
      const employer = await write(world, member);
      if (employer === undefined) return;
      await request(member, 'POST', `/employers/${employer}/corrections/`, {
        field: random.pick(['address', 'city', 'specialty', 'ownership_type']),
        value: random.letters(12),
        source: random.letters(12),
      });
    },
  },
  deleteReview: {
    weight: 2,
    async run({ authors, own, request }, member) {
      const [id, ...more] = own(member);
      if (!id || more.length === 0) return;
      await request(member, 'DELETE', `/reviews/${id}/`);
      authors.delete(id);
    },
  },
  forgetPassword: {
    weight: 1,
    run: ({ send }, { person }) =>
      send(person, 'POST', '/auth/password/reset/', { email: person.email }),
  },
  changeEmail: { weight: 2, run: changeEmail },
  keepReported: { weight: 1, run: (world) => moderate(world, 'keep') },
  appeal: { weight: 1, run: appeal },
  demand: { weight: 1, run: demand },
  nameBogus: { weight: 1, run: nameBogus },
  removeReview: { weight: 1, run: (world) => moderate(world, 'remove') },
};
