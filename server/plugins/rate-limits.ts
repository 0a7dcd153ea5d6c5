import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  type RateLimiterAbstract,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { RESET_MAILS_PER_HOUR } from '#contract/limits.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import { AppError } from '#server/app-error.ts';
import type { Deps } from '#server/deps.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * How often one thing may happen: `points` in `seconds`, per network address unless the caller
 * of `take` names something else. RATE_LIMIT_FACTOR multiplies the points.
 */
export const RATE_LIMITS = {
  /** Any unsafe request. */
  write: { points: 120, seconds: MINUTE },
  login: { points: 50, seconds: 15 * MINUTE },
  /** Per e-mail address and network address together: a stranger elsewhere locks nobody out. */
  loginPair: { points: 10, seconds: 15 * MINUTE },
  register: { points: 30, seconds: HOUR },
  /** Codes sent to one e-mail address at the wish of one network address. */
  codeMail: { points: 5, seconds: HOUR },
  /** Codes sent to one e-mail address in all: more than a stranger elsewhere can use up. */
  codeMailTotal: { points: 15, seconds: HOUR },
  /** Accounts that one network address makes, or finds that it cannot. */
  newAccount: { points: 20, seconds: DAY },
  /** Mails that tell the owner of an NPI that someone else tried to sign up with it. */
  npiMail: { points: 3, seconds: DAY },
  reset: { points: 30, seconds: HOUR },
  /** Reset mails to one e-mail address (specification, section 9). */
  resetMail: { points: RESET_MAILS_PER_HOUR, seconds: HOUR },
  /** Passwords typed by someone who is signed in, per account. */
  password: { points: 10, seconds: 15 * MINUTE },
  /** Changes of the e-mail address, per account, and mails about them to one new address. */
  emailChange: { points: 5, seconds: HOUR },
  emailChangeMail: { points: 10, seconds: HOUR },
  refresh: { points: 120, seconds: 15 * MINUTE },
  /** Reviews written or changed by one account. */
  reviewWrite: { points: 60, seconds: HOUR },
  reviewVote: { points: 300, seconds: HOUR },
  reviewReport: { points: 20, seconds: HOUR },
} as const satisfies Record<string, { points: number; seconds: number }>;
export type RateLimit = keyof typeof RATE_LIMITS;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The limit that each call of the route takes from, per network address. */
    rateLimit?: RateLimit;
  }
}

export type RateLimits = ReturnType<typeof rateLimits>;

/** The limits, kept in PostgreSQL for all nodes, under keyed hashes whose key changes daily. */
export function rateLimits(deps: Pick<Deps, 'config' | 'database' | 'keys' | 'clock'>) {
  const limiters = new Map<RateLimit, RateLimiterAbstract>();
  for (const [name, { points, seconds }] of Object.entries(RATE_LIMITS)) {
    const limiter = new RateLimiterPostgres({
      storeClient: deps.database.pool,
      storeType: 'pool',
      tableName: 'rate_limits',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix: '',
      points: Math.max(1, Math.round(points * deps.config.rateLimitFactor)),
      duration: seconds,
    });
    limiters.set(name as RateLimit, limiter);
  }
  const keyOf = (name: RateLimit, subject: string) =>
    deps.keys
      .sessionIndex('rate-limit', `${toDay(deps.clock())}/${name}/${subject}`)
      .toString('base64url');

  return {
    /** Takes one from a limit. Throws `rate_limited`, saying when to come back. */
    async take(name: RateLimit, subject: string): Promise<void> {
      try {
        await limiters.get(name)?.consume(keyOf(name, subject));
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        const seconds = Math.ceil(error.msBeforeNext / 1000);
        throw new AppError('rate_limited', {
          detail: `Rate limit exceeded. Please try again in ${seconds} seconds.`,
          retryAfterSeconds: seconds,
        });
      }
    },
    /** As `take`, but says false instead of throwing: where a refusal would tell too much. */
    async allows(name: RateLimit, subject: string): Promise<boolean> {
      try {
        await this.take(name, subject);
        return true;
      } catch (error) {
        if (error instanceof AppError) return false;
        throw error;
      }
    },
  };
}

/** Takes from the limit that a route declares, and from `write` for every unsafe request. */
export function enforceRateLimits(app: FastifyInstance, limits: RateLimits) {
  app.addHook('onRequest', async (request) => {
    const address = networkAddress(request);
    const { rateLimit } = request.routeOptions.config;
    if (rateLimit) await limits.take(rateLimit, address);
    else if (request.method !== 'GET' && request.method !== 'HEAD') {
      await limits.take('write', address);
    }
  });
}

/** Who calls, as far as limits care: the IPv4 address, or the /64 of an IPv6 address. */
export function networkAddress(request: Pick<FastifyRequest, 'ip'>): string {
  const ip = request.ip.replace(/^::ffff:(?=\d+\.)/, '');
  return ip.includes(':') ? expandIpv6(ip).slice(0, 4).join(':') : ip;
}

function expandIpv6(ip: string): string[] {
  const [head = '', tail] = (ip.split('%')[0] ?? ip).split('::');
  const left = head ? head.split(':') : [];
  if (tail === undefined) return left;
  const right = tail ? tail.split(':') : [];
  return [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
}
