/** The name of a variable that contains a key or a password. */
const SENSITIVE =
  /(?:^|_)(?:API_?KEYS?|SECRETS?|TOKENS?|PASSWORDS?|PASSWD|CREDENTIALS?|SECRET_KEY|SECRET_ACCESS_KEY|ACCESS_KEY|PRIVATE_KEY)$|^(?:PGPASSWORD|MYSQL_PWD)$/i
/** `scheme://user:password@`, with anything before it, as in `jdbc:postgresql://`. */
const PASSWORD_IN_ADDRESS = /:\/\/[^/\s:@?#]*:(?<password>[^/\s?#]+)@/d
/** `https://token@`: user names without a password are normal only in addresses of ssh and git. */
const TOKEN_IN_ADDRESS = /^https?:\/\/(?<password>[^/\s:@?#]+)@/di
/** `…;Password=x;`, `…?password=x&`, as in connection strings of databases and cloud services. */
const PASSWORD_IN_FIELD =
  /(?:^|[?&;\s])(?:password|passwd|pwd|secret|token|api[_-]?key|access[_-]?key|account[_-]?key|shared[_-]?access[_-]?(?:key|signature)|sig)\s*=\s*(?<password>[^&;\s]+)/di

/** Whether a variable contains a key or a password, judged by its name or by an address or a connection string in its value. */
export function isSecretVariable(name: string, value: string): boolean {
  return SENSITIVE.test(name) || passwordIn(value) !== null
}

/**
 * The place of the secret in a variable's value: the complete value if the variable's name is that of a secret, otherwise the password in
 * the value, such as in an address. Null if there is no secret.
 */
export function secretPlace(name: string, value: string): TextPlace | null {
  return SENSITIVE.test(name) ? { start: 0, end: value.length } : passwordPlace(value)
}

export interface TextPlace {
  readonly start: number
  readonly end: number
}

/** The password in an address or a connection string. Null if there is none. */
function passwordIn(value: string): string | null {
  const place = passwordPlace(value)
  return place && value.slice(place.start, place.end)
}

function passwordPlace(value: string): TextPlace | null {
  for (const pattern of [PASSWORD_IN_ADDRESS, TOKEN_IN_ADDRESS, PASSWORD_IN_FIELD]) {
    const place = pattern.exec(value)?.indices?.groups?.['password']
    if (place) return { start: place[0], end: place[1] }
  }
  return null
}

/** The parts of a secret variable's value that are hidden in outputs. Paths and ordinary words are not secrets. */
export function secretsIn(value: string): readonly string[] {
  const password = passwordIn(value)
  const parts = password === null ? [value] : [value, password, decoded(password)]
  return parts.filter((part) => looksSecret(part))
}

function looksSecret(text: string): boolean {
  if (/^(?:[~.]?\/|[A-Za-z]:\\)/.test(text)) return false
  return text.length >= 20 || (/[A-Za-z]/.test(text) && /\d/.test(text))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
