const secrets: readonly RegExp[] = [
  // JSON web tokens, licenses among them.
  /eyJ[\w-]{5,}\.[\w-]+\.[\w-]*/g,
  /whsec_[A-Za-z0-9+/=_-]+/g,
  /(?<=Bearer\s{1,8})[\w.~+/=-]+/gi,
  /(?<=[?&](?:signature|token|key|secret|password)=)[^&\s"]+/gi,
  /(?<="(?:client_secret|secret|password|authorization|license_data)"\s*:\s*")[^"]*/gi,
  // Credentials in a URL.
  /(?<=:\/\/)[^/\s"@]+(?=@)/g,
  /\$argon2[^\s"]+/g,
];

/** Log text without anything that looks like a secret. No log line should hold one; this is the second safeguard. */
export function redactSecrets(text: string): string {
  return secrets.reduce((redacted, pattern) => redacted.replace(pattern, '[redacted]'), text);
}
