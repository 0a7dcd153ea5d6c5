import { createTransport, type NodemailerError } from 'nodemailer';
import { isLoopbackHost } from '#server/config/network.ts';
import { TIME_OUTS } from '#server/time-outs.ts';
import { type Mailer, MailRefused } from './mailer.ts';

/**
 * Sends through an SMTP server, `smtp://` or `smtps://`, keeping a few connections open. Over a
 * network, mail and password go out only under TLS: `smtp://` then needs STARTTLS.
 */
export function smtpMailer(url: string, from: string): Mailer & { close(): void } {
  const transport = createTransport(
    {
      url,
      requireTLS: !isLoopbackHost(new URL(url).hostname),
      pool: true,
      maxConnections: 4,
      // All of them together stay below the time that a 'send-mail' job has.
      connectionTimeout: TIME_OUTS.smtpConnection.ms,
      greetingTimeout: TIME_OUTS.smtpGreeting.ms,
      socketTimeout: TIME_OUTS.smtpSocket.ms,
    },
    {
      from,
      xMailer: false,
      disableFileAccess: true,
      disableUrlAccess: true,
      // No "out of office" comes back (RFC 3834, section 5).
      headers: { 'Auto-Submitted': 'auto-generated' },
    },
  );
  return {
    async send({ to, subject, text, html }) {
      try {
        // As an object, the address is one address whatever characters it holds.
        await transport.sendMail({ to: { name: '', address: to }, subject, text, html });
      } catch (error) {
        const refusal = permanentRefusal(error as NodemailerError);
        throw refusal === null ? error : new MailRefused(refusal);
      }
    },
    close: () => transport.close(),
  };
}

/**
 * The reply code (RFC 5321, section 4.2.1) where the recipient or the message was refused for
 * good. A refused login or sender is a fault in our settings: the mail waits until it is mended.
 */
function permanentRefusal(error: NodemailerError): number | null {
  const concernsThisMail = error.command === 'RCPT TO' || error.command === 'DATA';
  return concernsThisMail && error.permanent ? (error.responseCode ?? null) : null;
}
