import { wordList } from '../../shared/lib/word-list.ts'
import { expect, test } from 'vitest'
import { commandEnvironment } from '../../main/environment/env-policy.ts'
import { isSecretVariable } from '../../main/environment/secret-variables.ts'

test.each(
  wordList(`
  GITHUB_PAT OPENAI_KEY DB_PASS GPG_PASSPHRASE SLACK_WEBHOOK_URL NPM_CONFIG__AUTH SIGNING_KEY ENCRYPTION_KEY COOKIE AUTHORIZATION
  KEYSTORE_PW API_KEY OPENAI_APIKEY PGPASSWORD MYSQL_PWD AWS_SECRET_ACCESS_KEY npm_config__authToken dbPassword PASSWORD2
  AUTH0_CLIENT_SECRET STRIPE_KEY_LIVE SECRET TOKENS MY-SERVICE-TOKEN
`).map((name) => [name]),
)('%s contains a secret (X4)', (name) => {
  expect(isSecretVariable(name, 'anything')).toBe(true)
})

test.each(
  wordList(`
  PATH PWD OLDPWD KEYBOARD_LAYOUT MONKEY XAUTHORITY SSH_AUTH_SOCK KEYTIMEOUT GIT_ASKPASS COMPASS PATTERN TOKEN_FILE AUTH0_DOMAIN
  TOKENIZERS_PARALLELISM AWS_ACCESS_KEY_ID GPG_TTY SECRETARY AUTHOR GIT_AUTHOR_NAME
`).map((name) => [name]),
)('%s contains no secret', (name) => {
  expect(isSecretVariable(name, 'anything')).toBe(false)
})

const letters = 'aB3dE6gH1jK4mN7pQ0sT2vW5yZ8bC9fR'
test.each([
  ...['ghp_', 'github_pat_', 'sk-', 'xoxb-', 'AIza', 'glpat-', 'npm_', 'hf_'].map((prefix) => prefix + letters),
  'AKIAIOSFODNN7EXAMPLE',
  'eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.abc',
  '-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n',
  `--registry=https://r --token=npm_${letters}`,
  'https://user:password1@host/x',
  'Mx7Qp2Lw9Rt4Zk8Vn1Hs6Bd3Fg5Jc0Ya',
])('the value %j is a secret under any name', (value) => {
  expect(isSecretVariable('PLAIN', value)).toBe(true)
  expect(commandEnvironment({ PLAIN: value }, { policy: 'inherit_core' })).not.toHaveProperty('PLAIN')
  expect(commandEnvironment({ PLAIN: value }, { policy: 'inherit_core', allow: ['PLAIN'] })).toHaveProperty('PLAIN', value)
})

test.each(
  wordList(`
  4dca8b2f5a9b1c3d4e5f60718293a4b5c6d7e8f9 123e4567-e89b-12d3-a456-426614174000 rs=0:di=01;34:ln=01;36:mh=00:pi=40;33
  /nix/store/7q2kP9xW3mZ5vB8nC1dF4gH6jL0sR-bash-5.2 unix:path=/run/user/1000/bus en_US.UTF-8 xterm-256color w0t0p0:1B2C
  ubuntu-24.04-server-amd64-cloudimg-Production-Europe-West-1 sk-short npm_config com.example.App.Production.2024.Release1
`),
)('the value %j is none', (value) => {
  expect(isSecretVariable('PLAIN', value)).toBe(false)
})
