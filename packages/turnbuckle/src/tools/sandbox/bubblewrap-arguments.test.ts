import { expect, test } from 'vitest'
import { bubblewrapArguments } from './bubblewrap-arguments.ts'

const none = { writable: [], readOnly: [], hidden: [], blocked: [], unwanted: [], links: [], folders: [], cwd: '/' }

test('a workspace in an emptied folder is mounted over it, and what is guarded over the workspace', () => {
  const args = bubblewrapArguments(
    {
      writable: ['/tmp/work'],
      readOnly: ['/tmp/work/.git/hooks'],
      hidden: ['/home/ann/.config/turnbuckle'],
      blocked: ['/home/ann/docker.sock'],
      unwanted: [],
      links: [],
      folders: ['/tmp', '/run'],
      seen: ['/run/current-system'],
      proxy: { outside: '/tmp/p/proxy.sock', inside: '/tmp/.turnbuckle/proxy.sock' },
      cwd: '/tmp/work/src',
    },
    ['/bin/sh', '-c', 'ls'],
  )
  expect(args.join(' ')).toBe(
    [
      '--ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --tmpfs /run',
      '--ro-bind-try /proc/sys /proc/sys --ro-bind-try /proc/sysrq-trigger /proc/sysrq-trigger',
      '--bind /tmp/work /tmp/work --ro-bind /run/current-system /run/current-system',
      '--ro-bind /dev/null /home/ann/docker.sock --ro-bind /tmp/p/proxy.sock /tmp/.turnbuckle/proxy.sock',
      '--tmpfs /home/ann/.config/turnbuckle --ro-bind /tmp/work/.git/hooks /tmp/work/.git/hooks',
      '--unshare-net --unshare-pid --unshare-ipc --cap-drop ALL --die-with-parent --chdir /tmp/work/src -- /bin/sh -c ls',
    ].join(' '),
  )
})

test('a workspace above other mounts comes before them', () => {
  const args = bubblewrapArguments({ ...none, writable: ['/'], folders: ['/tmp'] }, ['true'])
  expect(args.join(' ')).toMatch(/^--ro-bind \/ \/ --bind \/ \/ --dev \/dev --proc \/proc --tmpfs \/tmp /)
})

test('the network is never the one of the machine', () => {
  expect(bubblewrapArguments(none, ['true'])).toContain('--unshare-net')
})
