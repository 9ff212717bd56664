import { hostname, userInfo } from 'node:os'
import { keepAliveLine } from '../made/keep-alive.ts'
import { MARKS } from '../made/maker.ts'

/** The name of the only container of a pod. */
const CONTAINER = 'work'
/** The folder of the clone. It is on a volume that every user of the image can write to. */
export const WORKSPACES = '/workspaces'

/** A pod to make. Quantities are in the notation of Kubernetes. */
export interface PodFacts {
  readonly name: string
  readonly image: string
  readonly cpu: string
  readonly memory: string
  readonly disk: string
  readonly keep: boolean
  readonly hours: number
  /** The folder on this computer. */
  readonly folder: string
  readonly leaseS: number
}

/** The time at which a lease ends that is renewed now. `now`: in ms since 1970. */
export const leaseUntil = (now: number, leaseS: number): string => new Date(now + leaseS * 1000).toISOString()

/** The labels and annotations that say whose an object is and when its lease ends. */
export function metadataOf({ name, folder, leaseS }: PodFacts, now: number) {
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
 * The pod of one session. The cluster chooses its node. Nothing restarts it, and it ends by itself when its lease or its hours are over. It
 * has no token for the cluster and no rights beyond its own files.
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
