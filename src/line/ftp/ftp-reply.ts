/** A reply that ends a command early, as an error. */
export class FtpReply extends Error {
  override readonly name = 'FtpReply';
  readonly code: number;

  constructor(code: number, text: string) {
    super(text);
    this.code = code;
  }
}

/** One line for the control connection. What a client sent must not begin a line of its own. */
export const replyLine = (code: number, text: string): string => `${code} ${oneLine(text)}\r\n`;

const oneLine = (text: string): string => text.replace(/[\p{Cc}]+/gu, ' ').slice(0, 500);
