import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { SandboxSupport } from '../../../shared/api/workspace.ts'
import { useDesk } from '../desk-context.ts'

/** Whether commands in a folder run in a copy of it first. Null while loading. */
export function useSandbox(folder: string): SandboxSupport | null {
  const desk = useDesk()
  const isConnected = useStore(desk.connection.state, (state) => state.kind === 'open')
  const [found, setFound] = useState<{ readonly folder: string; readonly sandbox: SandboxSupport } | null>(null)
  useEffect(() => {
    if (folder === '' || !isConnected) return
    let isCurrent = true
    desk.connection.client?.workspace.sandbox({ folder }).then(
      (sandbox) => isCurrent && setFound({ folder, sandbox }),
      () => {},
    )
    return () => {
      isCurrent = false
    }
  }, [desk, folder, isConnected])
  return found?.folder === folder ? found.sandbox : null
}
