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
