import { join } from 'node:path'
import { type Grant, isStanding, type PermissionStore } from 'turnbuckle/middleware'
import { readHomeFile, writeHomeFile } from '../../settings/home-folder.ts'

/** Standing permissions in the user's folder. The file is read at every call: another process may have revoked one. */
export function permissionFile(home: string): PermissionStore {
  const path = join(home, 'permissions.json')
  const all = () => readHomeFile<readonly Grant[]>(path, []).filter(grant => isStanding(grant, Date.now()))
  return {
    list: all,
    add: grant => writeHomeFile(path, [...all(), grant]),
    revoke(id) {
      const grants = all()
      const left = grants.filter(grant => grant.id !== id)
      if (left.length === grants.length) return false
      writeHomeFile(path, left)
      return true
    },
    use(id) {
      const grant = all().find(one => one.id === id)
      if (!grant || grant.usesLeft === 0) return false
      const { usesLeft } = grant
      if (usesLeft !== undefined)
        writeHomeFile(
          path,
          all().map(one => (one.id === id ? { ...one, usesLeft: usesLeft - 1 } : one)),
        )
      return true
    },
  }
}
