import { failed, ok, type Result } from '../../shared/lib/result.ts'
import { MAX_PICTURE_BYTES, type Picture } from '../../shared/session/picture.ts'
import { readGivenFile } from '../environment/files/given-file.ts'
import type { Pictures } from '../sessions/pictures.ts'

/** The pictures of `--image`, kept. A failure is a sentence for standard error; the exit code is then 2. */
export async function givenPictures(paths: readonly string[], pictures: Pictures): Promise<Result<readonly Picture[], string>> {
  const kept: Picture[] = []
  for (const path of paths) {
    const read = await readGivenFile(path, MAX_PICTURE_BYTES)
    if (!read.ok) return failed(`--image ${path}: ${read.failure}.`)
    const picture = pictures.keep(read.value)
    if (!picture.ok) return failed(`--image ${path}: ${picture.failure.what}`)
    kept.push(picture.value)
  }
  return ok(kept)
}
