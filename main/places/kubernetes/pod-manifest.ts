import { hostname, userInfo } from 'node:os'
import { keepAliveLine } from '../made/keep-alive.ts'
import { MARKS } from '../made/maker.ts'

/** The name of the only container of a pod. */
const CONTAINER = 'work'
/** Where the clone is, on a volume that every user of the image can write. */
export const WORKSPACES = '/workspaces'

/** A pod that is to be made. Quantities are those of Kubernetes. */
export interface PodFacts {
  readonly name: string
  readonly image: string
  readonly cpu: string
  readonly memory: string
  readonly disk: string
  readonly keep: boolean
  readonly hours: number
  /** The folder of this computer. */
  readonly folder: string
  readonly leaseS: number
}

/** Marks that say whose it is and how long its lease is valid. `now`: in ms since 1970. */
export const leaseUntil = (now: number, leaseS: number): string => new Date(now + leaseS * 1000).toISOString()

function metadataOf({ name, folder, leaseS }: PodFacts, now: number) {
  return {
    name,
    labels: { 'app.kubernetes.io/managed-by': 'countersign', [MARKS.session]: name },
    annotations: {
      [MARKS.owner]: `${userInfo().username}@${hostname()}`,
      [MARKS.folder]: folder,
      [MARKS.lease]: leaseUntil(now, leaseS),
    },
  }
}

/**
 * One pod for one session. The cluster places it; nothing restarts it; it ends by itself after its lease or its hours. It has no token of
 * the cluster and no rights beyond its own files.
 */
export function podManifest(facts: PodFacts, now: number) {
  const { name, image, cpu, memory, disk, keep, hours, leaseS } = facts
  const resources = { cpu, memory, ...(!keep && { 'ephemeral-storage': disk }) }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: metadataOf(facts, now),
    spec: {
      restartPolicy: 'Never',
      activeDeadlineSeconds: hours * 3600,
      terminationGracePeriodSeconds: 5,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      containers: [
        {
          name: CONTAINER,
          image,
          command: ['sh', '-c', keepAliveLine(leaseS)],
          resources: { requests: resources, limits: resources },
          securityContext: {
            allowPrivilegeEscalation: false,
            capabilities: { drop: ['ALL'] },
            seccompProfile: { type: 'RuntimeDefault' },
          },
          volumeMounts: [{ name: 'workspaces', mountPath: WORKSPACES }],
        },
      ],
      volumes: [
        keep ? { name: 'workspaces', persistentVolumeClaim: { claimName: name } } : { name: 'workspaces', emptyDir: { sizeLimit: disk } },
      ],
    },
  } as const
}

/** The claim of a volume that survives the pod. */
export function claimManifest(facts: PodFacts, now: number) {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: metadataOf(facts, now),
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: facts.disk } } },
  } as const
}
