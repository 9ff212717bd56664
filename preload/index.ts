import { contextBridge, ipcRenderer, webUtils } from 'electron'
import { IPC_CHANNEL, type PreloadBridge, type MainPacket } from '../shared/wire/ipc-packet.ts'

let tell: ((packet: MainPacket) => void) | null = null

// The IPC event is not passed on, because a page could reach every channel through the event's `sender`.
ipcRenderer.on(IPC_CHANNEL, (_event, packet: MainPacket) => tell?.(packet))

const bridge: PreloadBridge = Object.freeze({
  send: (packet) => ipcRenderer.send(IPC_CHANNEL, packet),
  onMessage: (listener) => {
    tell = listener
  },
  pathOf: (file) => webUtils.getPathForFile(file as File),
} satisfies PreloadBridge)

contextBridge.exposeInMainWorld('countersign', bridge)
