export interface MailMessage {
  /** A single address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The URL to which a mailbox sends one POST to unsubscribe (RFC 8058). */
  readonly unsubscribeUrl?: string | undefined;
}

export interface Mailer {
  /** Resolves once the mail is accepted. Throws MailRefused, or another error if a retry may help. */
  send(message: MailMessage): Promise<void>;
  /** Logs in to the server without sending anything. Throws on failure. Absent without a server. */
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
