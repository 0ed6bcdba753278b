/** What keeps a command from doing its work, in words: the value received and what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
