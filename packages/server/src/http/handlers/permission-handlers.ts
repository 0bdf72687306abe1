import type { StoredPermission } from 'turnbuckle/client'
import { demandRight, hasRight } from '../../access/rights.ts'
import type { Permissions } from '../../access/stored-permissions.ts'
import { notFound } from '../../base/not-found.ts'
import type { Handlers } from '../contract.ts'
import type { CallHandlersOptions } from './call-handlers-options.ts'

type PermissionHandlersOptions = Pick<CallHandlersOptions, 'permissions' | 'people' | 'roleOf' | 'audit'>

interface Owned {
  readonly person: string
  readonly permission: StoredPermission
}

/** The calls that list and revoke standing permissions: a person's own, and for owners the lasting ones of everybody. */
export function createPermissionHandlers({
  permissions,
  people,
  roleOf,
  audit,
}: PermissionHandlersOptions): Pick<Handlers, 'listPermissions' | 'revokePermission'> {
  const listFor = async (person: string): Promise<Owned[]> => {
    if (!permissions) return []
    const own = await ownedBy(permissions, person)
    if (!hasRight(roleOf, person, 'grantLasting')) return own
    const ids = new Set(own.map(({ permission }) => permission.id))
    const names = new Set(people.list.map(({ name }) => name).filter(name => name !== person))
    const others = await Promise.all([...names].map(name => ownedBy(permissions, name)))
    return [...own, ...others.flat().filter(({ permission }) => isLasting(permission) && !ids.has(permission.id))]
  }
  return {
    async listPermissions({ person }) {
      const all = await listFor(person)
      return {
        permissions: all.map(one =>
          one.person === person ? one.permission : { ...one.permission, owner: one.person },
        ),
      }
    },
    async revokePermission({ person, params: { id = '' } }) {
      const found = (await listFor(person)).find(({ permission }) => permission.id === id)
      if (!found) throw notFound('permission', id)
      // A lasting no that an owner gave is not lifted by the member whom it binds.
      if (isLasting(found.permission)) demandRight(roleOf, person, 'grantLasting')
      if (!(await permissions?.revoke(found.person, id))) throw notFound('permission', id)
      const { tool, scope, pattern } = found.permission
      const grant = { scope: String(scope), pattern: String(pattern) }
      await audit.add({ by: person, act: 'revoked', what: String(tool), ...grant })
    },
  }
}

const ownedBy = async (permissions: Permissions, person: string): Promise<Owned[]> =>
  (await permissions.list(person)).map(permission => ({ person, permission }))

const isLasting = ({ scope }: StoredPermission): boolean => scope !== 'conversation'
