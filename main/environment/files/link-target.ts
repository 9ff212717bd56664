import { readlink } from 'node:fs/promises'
import { EnvironmentFailure } from '../environment-failure.ts'

/** The target of a link. Rejects with `EILSEQ` if it is not UTF-8: a link made from the decoded text would lead elsewhere. */
export async function targetOfLink(path: string): Promise<string> {
  const bytes = await readlink(path, 'buffer')
  const target = bytes.toString()
  if (Buffer.from(target).equals(bytes)) return target
  throw new EnvironmentFailure('EILSEQ', `${path} is a link whose target is not valid UTF-8 (EILSEQ).`)
}
