export interface MailMessage {
  /** One address, as the account holds it. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface Mailer {
  /** Resolves once the message is in other hands. Throws MailRefused, or else: try again later. */
  send(message: MailMessage): Promise<void>;
}

/** The recipient's server will not take this message, however often it is tried. */
export class MailRefused extends Error {
  readonly responseCode: number;

  constructor(responseCode: number) {
    super(`mail refused with ${responseCode}`);
    this.name = 'MailRefused';
    this.responseCode = responseCode;
  }
}
