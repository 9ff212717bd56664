import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import { MAX_PICTURE_BYTES, type Picture } from '../../../shared/session/picture.ts'
import { type NotGiven, readGivenFile } from '../../environment/files/given-file.ts'
import { pictureTooLarge } from '../../sessions/picture-troubles.ts'
import type { Pictures } from '../../sessions/pictures.ts'

/** The pictures of `--image`, kept. A failure is a line for standard error, what happened and what to do; the exit code is then 2. */
export async function givenPictures(paths: readonly string[], pictures: Pictures): Promise<Result<readonly Picture[], string>> {
  const kept: Picture[] = []
  for (const path of paths) {
    const read = await readGivenFile(path, MAX_PICTURE_BYTES)
    if (!read.ok) return failed(`--image ${path}: ${words(read.failure)}`)
    const picture = pictures.keep(read.value)
    if (!picture.ok) return failed(`--image ${path}: ${picture.failure.what} ${picture.failure.todo}`)
    kept.push(picture.value)
  }
  return ok(kept)
}

function words(failure: NotGiven): string {
  if (failure.kind === 'unread')
    return `The picture could not be read: ${failure.why}. Name a PNG, JPEG, GIF or WebP file that can be read.`
  const { what, todo } = pictureTooLarge(failure.bytes)
  return `${what} ${todo}`
}
