import { expect, it } from 'vitest'
import { commandEnvironment } from '../../main/environment/env-policy.ts'

const MOUNT = '/tmp/.mount_Counter1a2b'

it('commands get nothing that an AppImage added for its own program: neither its folders nor its variables', () => {
  const env = commandEnvironment(
    {
      APPIMAGE: '/home/me/Countersign.AppImage',
      APPDIR: MOUNT,
      ARGV0: './Countersign.AppImage',
      OWD: '/home/me',
      PATH: `${MOUNT}:${MOUNT}/usr/sbin:/usr/bin:/tmp/.mount_Counter1a2bc/bin`,
      XDG_DATA_DIRS: `./share/:${MOUNT}/usr/share:/usr/share`,
      GSETTINGS_SCHEMA_DIR: `${MOUNT}/usr/share/glib-2.0/schemas`,
      LD_LIBRARY_PATH: `${MOUNT}/usr/lib:/opt/lib`,
      OTHER: 'kept',
    },
    { policy: 'inherit_all' },
  )
  expect(env).toMatchObject({
    PATH: '/usr/bin:/tmp/.mount_Counter1a2bc/bin',
    XDG_DATA_DIRS: './share/:/usr/share',
    LD_LIBRARY_PATH: '/opt/lib',
    OTHER: 'kept',
  })
  expect(Object.keys(env).filter((name) => ['APPIMAGE', 'APPDIR', 'ARGV0', 'OWD', 'GSETTINGS_SCHEMA_DIR'].includes(name))).toEqual([])
})

it('outside an AppImage, variables with these names belong to the user', () => {
  const person = { APPDIR: '/srv/app', PATH: '/srv/app/bin:/usr/bin', OWD: '/x' }
  expect(commandEnvironment(person, { policy: 'inherit_all' })).toMatchObject(person)
})
