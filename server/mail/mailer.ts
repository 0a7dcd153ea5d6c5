import { createTransport, type NodemailerError } from 'nodemailer';
import { isLoopbackHost } from '#server/config/settings.ts';
import { TIME_OUTS } from '#server/time-outs.ts';

export interface MailMessage {
  /** A single address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** URL for one-click unsubscribe (RFC 8058). */
  readonly unsubscribeUrl?: string | undefined;
}

export interface Mailer {
  /**
   * Resolves once the server has accepted the message. Throws `MailRefused` if it never will; any
   * other error can be retried.
   */
  send(message: MailMessage): Promise<void>;
  /**
   * Logs in to the server without sending anything, and throws if that fails. Only mailers with a
   * server have it.
   */
  verify?(): Promise<unknown>;
}

/** The recipient's server permanently rejected the message. */
export class MailRefused extends Error {
  readonly responseCode: number;

  constructor(responseCode: number) {
    super(`mail rejected with ${responseCode}`);
    this.name = 'MailRefused';
    this.responseCode = responseCode;
  }
}

/**
 * Sends through an SMTP server (`smtp://` or `smtps://`) with pooled connections. Requires TLS
 * except on loopback, so a remote `smtp://` server must support STARTTLS.
 */
export function smtpMailer(url: string, from: string): Required<Mailer> & { close(): void } {
  const transport = createTransport(
    {
      url,
      requireTLS: !isLoopbackHost(new URL(url).hostname),
      pool: true,
      maxConnections: 4,
      // Their sum is shorter than the timeout of a `send-mail` job.
      connectionTimeout: TIME_OUTS.smtpConnection.ms,
      greetingTimeout: TIME_OUTS.smtpGreeting.ms,
      socketTimeout: TIME_OUTS.smtpSocket.ms,
    },
    {
      from,
      xMailer: false,
      disableFileAccess: true,
      disableUrlAccess: true,
      // Prevents out-of-office replies (RFC 3834, section 5).
      headers: { 'Auto-Submitted': 'auto-generated' },
    },
  );
  return {
    async send({ to, subject, text, html, unsubscribeUrl }) {
      try {
        // Nodemailer never splits an address that is passed as an object.
        await transport.sendMail({
          to: { name: '', address: to },
          subject,
          text,
          html,
          headers: unsubscribeUrl === undefined ? {} : unsubscribeHeaders(unsubscribeUrl),
        });
      } catch (error) {
        const refusal = permanentRefusal(error as NodemailerError);
        throw refusal === null ? error : new MailRefused(refusal);
      }
    },
    verify: () => transport.verify(),
    close: () => transport.close(),
  };
}

/** RFC 2369, section 3.2, and RFC 8058, section 3.1. */
const unsubscribeHeaders = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/**
 * The reply code (RFC 5321, section 4.2.1) if the recipient or message was permanently rejected. A
 * rejected login or sender means that our settings are wrong, so the email is retried.
 */
function permanentRefusal(error: NodemailerError): number | null {
  const concernsThisMail = error.command === 'RCPT TO' || error.command === 'DATA';
  return concernsThisMail && error.permanent ? (error.responseCode ?? null) : null;
}
