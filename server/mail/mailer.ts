export interface MailMessage {
  /** A single address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Where a mailbox stops mail of this kind with one POST (RFC 8058). */
  readonly unsubscribeUrl?: string | undefined;
}

export interface Mailer {
  /** Resolves once accepted. Throws MailRefused, or another error if it can be retried. */
  send(message: MailMessage): Promise<void>;
  /** Logs in to the server without sending anything. Throws if that fails. Absent without a server. */
  verify?(): Promise<unknown>;
}

/** The recipient's server permanently rejected the message. */
export class MailRefused extends Error {
  readonly responseCode: number;

  constructor(responseCode: number) {
    super(`mail refused with ${responseCode}`);
    this.name = 'MailRefused';
    this.responseCode = responseCode;
  }
}
