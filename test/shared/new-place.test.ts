import { expect, test } from 'vitest'
import { parseAddress, placeKey } from '../../shared/places/address.ts'
import { newPlaceText, parseNewPlace } from '../../shared/places/new-place.ts'

const POD = {
  kind: 'pod',
  context: null,
  namespace: null,
  image: null,
  pool: null,
  cpu: null,
  memory: null,
  disk: null,
  keep: false,
  hours: null,
}

test.each([
  ['image:node:22', { kind: 'image', image: 'node:22' }],
  ['image:ghcr.io/ada/shop@sha256:abc', { kind: 'image', image: 'ghcr.io/ada/shop@sha256:abc' }],
  ['devcontainer:', { kind: 'devcontainer' }],
  ['k8s:///', POD],
  ['k8s://kind/team?pool=fast&hours=8', { ...POD, context: 'kind', namespace: 'team', pool: 'fast', hours: 8 }],
  ['k8s://kind/team', { ...POD, context: 'kind', namespace: 'team' }],
  [
    'k8s://arn%3Aaws%3Aeks%3Ax%2Fshop/team?image=node:22&cpu=500m&memory=2Gi&disk=10Gi&keep=true&hours=8',
    {
      kind: 'pod',
      context: 'arn:aws:eks:x/shop',
      namespace: 'team',
      image: 'node:22',
      pool: null,
      cpu: '500m',
      memory: '2Gi',
      disk: '10Gi',
      keep: true,
      hours: 8,
    },
  ],
])('%s is read and written back', (text, place) => {
  expect(parseNewPlace(text)).toEqual({ ok: true, value: place })
  const read = parseNewPlace(text)
  expect(read?.ok && parseNewPlace(newPlaceText(read.value))).toEqual({ ok: true, value: place })
})

test.each([
  ['image:-v', 'is not the name of an image'],
  ['image:', 'is not the name of an image'],
  ['k8s://-v/x', 'not the name of a context'],
  ['k8s://%zz/x', 'not the name of a context'],
  ['k8s://a/b?image=-x', 'is not the name of an image'],
  ['k8s://a/b?cpu=lots', 'cpu is a quantity'],
  ['k8s://a/b?hours=0', 'hours is a whole number'],
  ['k8s://a/b?keep=yes', 'keep is true or false'],
  ['k8s://a/b?pool=-x', 'is not the name of a warm pool'],
  ['k8s://a/b?pool=fast&memory=2Gi', 'The pool decides memory'],
  ['k8s://a/b?privileged=true', 'A pod has no option “privileged”'],
])('%s says what is wrong', (text, words) => {
  expect(parseNewPlace(text)).toEqual({ ok: false, failure: expect.stringContaining(words) })
})

test.each(['/srv/shop', 'ssh://box/srv', 'container:one/work', 'k8s://kind/team/pod-1/work', 'k8s:/a', 'image'])(
  '%s is no new place',
  (text) => {
    expect(parseNewPlace(text)).toBeNull()
  },
)

test('the address of a claimed pod is read and written back', () => {
  const { place, folder } = parseAddress('k8s://kind/team/claim:countersign-1/tmp/workspaces/shop')
  expect([place, folder]).toEqual([
    { kind: 'pod', context: 'kind', namespace: 'team', name: 'countersign-1', isClaimed: true },
    '/tmp/workspaces/shop',
  ])
  expect(place && placeKey(place)).toBe('k8s://kind/team/claim:countersign-1')
})

test('the address of a pod is read and written back, whatever its context is called', () => {
  const text = 'k8s://arn%3Aaws%3Aeks%2Fshop/team/countersign-1/workspaces/shop'
  const { place, folder } = parseAddress(text)
  expect([place, folder]).toEqual([
    { kind: 'pod', context: 'arn:aws:eks/shop', namespace: 'team', name: 'countersign-1' },
    '/workspaces/shop',
  ])
  expect(place && placeKey(place)).toBe('k8s://arn%3Aaws%3Aeks%2Fshop/team/countersign-1')
})
