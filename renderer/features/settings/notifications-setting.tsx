import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import type { Settings } from '../../../shared/api/setting-fields.ts'
import { useDesk } from '../../state/desk-context.ts'
import { useNotificationPermission } from '../../state/hooks/use-notification-permission.ts'
import { Button } from '../../ui/controls/button.tsx'
import type { SelectOption } from '../../ui/controls/select/select-option.tsx'
import { SelectSetting } from './select-setting.tsx'
import { ErrorNotice } from '../../ui/notices/error-notice.tsx'
import { SettingLine } from './setting-section.tsx'
import type { Changing } from './use-setting-change.ts'

type When = Settings['notifications']

const OPTIONS: readonly SelectOption<When>[] = [
  { id: 'off', label: 'Off' },
  { id: 'needs', label: 'When I am needed', hint: 'For a signature, a question, or a turn that ended early' },
  { id: 'finished', label: 'Also when a turn finishes' },
]

export interface NotificationsSettingProps {
  readonly chosen: When
  readonly change: Changing['change']
}

export function NotificationsSetting({ chosen, change }: NotificationsSettingProps): ReactNode {
  const hello = useStore(useDesk().app, (app) => app.hello)
  const { permission, ask } = useNotificationPermission()
  const isOnPage = hello?.shell === 'browser'
  const choose = (notifications: When): void => {
    if (isOnPage && notifications !== 'off') ask()
    change({ notifications })
  }
  return (
    <>
      <SelectSetting
        title="Notifications"
        words="Shown while no Countersign window has the focus. A click opens the session; it does not sign anything."
        selected={chosen}
        options={OPTIONS}
        onSelect={choose}
      />
      {chosen !== 'off' && isOnPage && permission === 'default' && (
        <SettingLine title="Notifications of this browser" words="The browser asks you once before it shows any.">
          <Button small onPress={ask}>
            Allow notifications
          </Button>
        </SettingLine>
      )}
      {chosen !== 'off' && isOnPage && permission === 'denied' && (
        <ErrorNotice
          framed
          happened="This browser blocks notifications from Countersign."
          kept="Your setting is unchanged. The tab title and the list of sessions still show what needs you."
          todo="Open the site settings beside the address of this page, allow notifications there, then reload the page."
        />
      )}
      {chosen !== 'off' && hello !== null && (isOnPage ? permission === 'missing' : !hello.capabilities.notifications) && (
        <p className="soft">{isOnPage ? 'This browser' : 'This system'} has no notifications, so none will be shown.</p>
      )}
    </>
  )
}
