export interface EscapeVector {
  readonly name: string;
  readonly command: string;
  /** Sandboxes under which this vector is harmless or allowed by design. */
  readonly possible?: readonly "bubblewrap"[];
}

const reads = (name: string, command: string): EscapeVector => ({
  name: `reads ${name}`,
  command: `{ ${command}; } 2>/dev/null | grep -q SECRET`,
});
const does = (
  name: string,
  command: string,
  possible?: EscapeVector["possible"],
): EscapeVector => ({
  name,
  command,
  ...(possible !== undefined && { possible }),
});
const python = (script: string) => `/usr/bin/python3 -c '${script}'`;
const call = (
  name: string,
  numbers: readonly [number, number],
  args: string,
  possible?: EscapeVector["possible"],
) =>
  does(
    name,
    python(
      `import ctypes,sys,platform as p;l=ctypes.CDLL(None);sys.exit(0 if l.syscall(${numbers[0]} if p.machine()=="x86_64" else ${numbers[1]},${args})>=0 else 1)`,
    ),
    possible,
  );
const evil = (path: string, how = `echo evil > ${path}`) =>
  does(`changes ${path} by ${how.split(" ", 1)[0]}`, `{ ${how}; }; grep -rqs evil ${path}`);
const answers = (name: string, command: string) =>
  does(`reaches ${name}`, `{ ${command}; } 2>/dev/null | grep -q OUTSIDE`);

/**
 * Variables: `$H` is the user's home folder, `$PORT` a local server, `$SOCK` a local socket,
 * `$OTHER` a process of the user, `$ORIGIN` the project that the copy was made of. Every command
 * is harmless without a sandbox.
 */
export const ESCAPE_VECTORS: readonly EscapeVector[] = [
  reads("a key", "cat $H/.ssh/id_rsa"),
  reads("a key by a link", "ln -sf $H/.ssh/id_rsa l1; cat l1"),
  reads("a key by a linked folder", "ln -sfn $H/.ssh l2; cat l2/id_rsa"),
  reads("a key by a hard link", "ln -f $H/.ssh/id_rsa l3; cat l3"),
  reads("a key by its own root", "cat /proc/self/root$H/.ssh/id_rsa"),
  reads("a key by its own folder", "cat /proc/self/cwd/../home/.ssh/id_rsa"),
  reads("a key by another's root", "cat /proc/$OTHER/root$H/.ssh/id_rsa"),
  reads("a key by another's folder", "cat /proc/$OTHER/cwd/.ssh/id_rsa"),
  reads("a key by redirection", "cat < $H/.ssh/id_rsa"),
  reads("a key by a copy", "cp $H/.ssh/id_rsa c1; cat c1"),
  reads("a key by a move", "mv $H/.ssh/id_rsa2 c2; cat c2"),
  reads("a key by dd", "dd if=$H/.ssh/id_rsa"),
  reads("a key by tar", "tar cf - -C $H .ssh"),
  reads("a key by find", "find $H -name id_rsa -exec cat {} +"),
  reads("a key by a pattern", "cat $H/.s*/id_*"),
  reads("a key by git", "git diff --no-index /dev/null $H/.ssh/id_rsa"),
  reads("a key by git's config", "git config --file $H/.ssh/id_rsa --list 2>&1"),
  reads("a key by an archive", "gzip -c $H/.ssh/id_rsa | gzip -d"),
  reads(
    "a key by a mapping",
    python(
      'import mmap,sys;f=open(sys.argv[1],"rb");print(mmap.mmap(f.fileno(),0,access=1)[:])',
    ).concat(" $H/.ssh/id_rsa"),
  ),
  reads("a login of a cloud", "cat $H/.aws/credentials"),
  reads("a login of another agent", "cat $H/.codex/auth.json"),
  reads("a letter", "cat $H/letter.txt"),
  reads("another project", "cat $H/other-project/.env"),
  reads("cairn's config", "cat $H/../config/config.json"),
  reads("cairn's data", "cat $H/../data/memory.db"),
  reads("the environment of another program", "tr '\\0' '\\n' < /proc/$OTHER/environ"),
  does("lists the home folder", "ls $H | grep -q letter.txt"),
  // Lists descriptor numbers only, without their targets.
  does("lists what another program has open", "ls /proc/$OTHER/fd | grep -q ."),
  does("sees that a hidden file is there", "test -e $H/letter.txt"),
  does("sees the command line of another program", "grep -q 4711 /proc/$OTHER/cmdline"),
  evil("$H/.bashrc"),
  evil("$H/.ssh/authorized_keys"),
  evil("$H/bin/tool"),
  evil("$H/new-folder/x", "mkdir -p $H/new-folder && echo evil > $H/new-folder/x"),
  evil("$H/moved", "echo evil > m; mv m $H/moved"),
  evil("$H/by-link", "ln -sf $H/by-link l4; echo evil > l4"),
  evil("$H/by-copy", "echo evil > m2; cp m2 $H/by-copy"),
  evil("../beside.txt"),
  evil("$H/../config/config.json"),
  evil(
    "$H/../data/set-aside/x",
    "mkdir -p $H/../data/set-aside && echo evil > $H/../data/set-aside/x",
  ),
  does(
    "empties a letter",
    "truncate -s 0 $H/empty-me && ! test -s $H/empty-me && test -e $H/empty-me",
  ),
  does(
    "removes a letter",
    "rm -f $H/remove-me 2>/dev/null && ! ls $H/remove-me 2>&1 | grep -q denied && test -d $H",
  ),
  does("opens rights of a key", "chmod 777 $H/.ssh/id_rsa"),
  does("opens rights by a link", "ln -sf $H/.ssh/id_rsa l5; chmod 777 l5"),
  does("gives a key to another", "chown 65534 $H/.ssh/id_rsa"),
  does(
    "changes the time of a letter",
    "touch -c -d 2001-01-01 $H/letter.txt && test -e $H/letter.txt",
  ),
  does(
    "marks a letter",
    python('import os,sys;os.setxattr(sys.argv[1],b"user.x",b"1")').concat(" $H/letter.txt"),
  ),
  evil(".git/config", "git config core.fsmonitor evil || echo evil >> .git/config"),
  evil(".git/hooks/pre-commit"),
  evil(".git/config", "mv .git .away; mkdir -p .git; echo evil > .git/config"),
  evil(".git/hooks", "rm -rf .git/hooks; mkdir -p .git/hooks; echo evil > .git/hooks/x"),
  evil(".vscode/settings.json"),
  evil(
    ".vscode/settings.json",
    "mv .vscode .away2; mkdir .vscode; echo evil > .vscode/settings.json",
  ),
  evil(".envrc"),
  evil(".envrc", "rm -f .envrc; echo evil > .envrc"),
  evil("AGENTS.md", "printf evil | dd of=AGENTS.md"),
  evil(".npmrc", "sed -i s/mine/evil/ .npmrc"),
  evil(".husky/pre-commit"),
  does("opens rights of git's config", "chmod 777 .git/config"),
  answers("a server", "curl -s -m 3 --noproxy '*' http://127.0.0.1:$PORT/"),
  answers("a server by name", "curl -s -m 3 --noproxy '*' http://localhost:$PORT/"),
  answers("a server by 0", "curl -s -m 3 --noproxy '*' http://0.0.0.0:$PORT/"),
  answers("a server by a short address", "curl -s -m 3 --noproxy '*' http://127.1:$PORT/"),
  answers(
    "a server by a mapped address",
    "curl -s -m 3 --noproxy '*' 'http://[::ffff:127.0.0.1]:'$PORT/",
  ),
  answers("a server by the proxy", "curl -s -m 3 --noproxy '' http://127.0.0.1:$PORT/"),
  answers(
    "a server by the proxy and a number",
    "curl -s -m 3 --noproxy '' http://2130706433:$PORT/",
  ),
  answers("a server through a tunnel", "curl -s -m 3 -p --noproxy '' http://127.0.0.1:$PORT/"),
  answers(
    "a server by bash",
    "exec 7<>/dev/tcp/127.0.0.1/$PORT; printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&7; timeout 3 cat <&7",
  ),
  answers(
    "a socket",
    python(
      "import socket,sys;s=socket.socket(1);s.settimeout(3);s.connect(sys.argv[1]);print(s.recv(99))",
    ).concat(" $SOCK"),
  ),
  answers(
    "a socket without a path",
    python(
      "import socket,sys;s=socket.socket(1);s.settimeout(3);s.connect(chr(0)+sys.argv[1]);print(s.recv(99))",
    ).concat(" $ABSTRACT"),
  ),
  does(
    "opens a connection by sending",
    python(
      'import socket,sys;s=socket.socket();s.settimeout(3);s.sendto(b"GET / HTTP/1.0\\r\\n\\r\\n",0x20000000,("127.0.0.1",int(sys.argv[1])));sys.exit(0 if b"OUTSIDE" in s.recv(999) else 1)',
    ).concat(" $PORT"),
  ),
  does("signals another program", "kill -0 $OTHER"),
  does(
    "signals it by a handle",
    python(
      "import os,signal,sys;signal.pidfd_send_signal(os.pidfd_open(int(sys.argv[1])),0)",
    ).concat(" $OTHER"),
  ),
  does("limits another program", "prlimit --pid $OTHER --nofile=512:512"),
  does("writes of another program", "echo 0 > /proc/$OTHER/oom_score_adj"),
  does("reads memory of another program", "dd if=/proc/$OTHER/mem bs=1 count=0"),
  does(
    "traces another program",
    python(
      'import ctypes,sys,platform as p;l=ctypes.CDLL(None);sys.exit(0 if l.syscall(101 if p.machine()=="x86_64" else 117,0x4206,int(sys.argv[1]),0,0)>=0 else 1)',
    ).concat(" $OTHER"),
  ),
  does("goes into namespaces of another", "nsenter -t $OTHER -m true"),
  does("reads the kernel's log", "dmesg | grep -q ."),
  does("names a device of the machine", "mknod dev0 b 254 0 && head -c 1 dev0 | grep -qc ''"),
  call("uses the key ring", [248, 217], 'b"user",b"cairn-test",b"x",1,-3', ["bubblewrap"]),
  call("reads the clock's state as who sets it", [159, 171], "(ctypes.c_char*512)()", [
    "bubblewrap",
  ]),
  call("asks for performance of all", [298, 241], "(ctypes.c_char*128)(1),-1,0,-1,0"),
  reads("a key by every process that is seen", "cat /proc/[0-9]*/root$H/.ssh/id_rsa"),
  reads("a key by every folder that a process is in", "cat /proc/[0-9]*/cwd/.ssh/id_rsa"),
  reads(
    "a key by every open folder",
    "for fd in /proc/self/fd/* /proc/$PPID/fd/*; do cat $fd/.ssh/id_rsa $fd/../home/.ssh/id_rsa; done",
  ),
  reads("a key by an address of a file", "curl -s file://$H/.ssh/id_rsa"),
  reads(
    "a key by the loader",
    "/bin/sh -c '. $H/.ssh/id_rsa; echo $SECRET' 2>&1; cat < $H/.ssh/id_rsa",
  ),
  reads("a key as another user", "unshare -Ur cat $H/.ssh/id_rsa"),
  reads("a key by another root", "chroot /proc/$OTHER/root /bin/cat $H/.ssh/id_rsa"),
  reads("a key by a clone", "git clone -q file://$H/repository r0 && cat r0/key"),
  reads(
    "a key by a handle of its file",
    python(
      'import ctypes,os,sys;l=ctypes.CDLL(None,use_errno=True);b=ctypes.create_string_buffer(136);b[0:4]=(128).to_bytes(4,"little");m=ctypes.c_int();p=sys.argv[1].encode();l.name_to_handle_at(-100,p,b,ctypes.byref(m),0);d=os.open("/",0);f=l.open_by_handle_at(d,b,0);print(os.read(f,99))',
    ).concat(" $H/.ssh/id_rsa"),
  ),
  reads("shared files of other programs", "cat /dev/shm/$SHM"),
  answers(
    "shared memory of another program",
    python(
      'import ctypes,sys;l=ctypes.CDLL(None);l.shmat.restype=ctypes.c_void_p;i=l.shmget(int(sys.argv[1]),0,0);p=l.shmat(i,None,0o10000);print(ctypes.string_at(p,7) if i>=0 else "")',
    ).concat(" $SHMKEY"),
  ),
  evil("/dev/shm/$SHM.evil"),
  does("slows another program", "renice -n 5 -p $OTHER"),
  does("moves another program to a processor", "taskset -p 1 $OTHER"),
  does("puts another program behind for files", "ionice -c 3 -p $OTHER"),
  does("makes another program a batch", "chrt -b -p 0 $OTHER"),
  does(
    "reads memory of another program at once",
    python(
      'import ctypes,sys,platform as p;l=ctypes.CDLL(None);a=[x for x in open("/proc/%s/maps"%sys.argv[1]) if "r-" in x][0].split("-")[0];b=ctypes.create_string_buffer(4);v=(ctypes.c_void_p*2)(ctypes.addressof(b),4);w=(ctypes.c_void_p*2)(int(a,16),4);sys.exit(0 if l.process_vm_readv(int(sys.argv[1]),v,1,w,1,0)>0 else 1)',
    ).concat(" $OTHER"),
  ),
  does(
    "takes an open file of another program",
    python(
      "import ctypes,os,sys;l=ctypes.CDLL(None);d=os.pidfd_open(int(sys.argv[1]));sys.exit(0 if l.syscall(438,d,0,0)>=0 else 1)",
    ).concat(" $OTHER"),
  ),
  does(
    "compares itself with another program",
    python(
      'import ctypes,os,sys,platform as p;l=ctypes.CDLL(None);sys.exit(0 if l.syscall(312 if p.machine()=="x86_64" else 272,os.getpid(),int(sys.argv[1]),1,0,0)>=0 else 1)',
    ).concat(" $OTHER"),
  ),
  does(
    "signals a thread of another program",
    python(
      'import ctypes,sys,platform as p;l=ctypes.CDLL(None);t=int(sys.argv[1]);sys.exit(0 if l.syscall(234 if p.machine()=="x86_64" else 131,t,t,0)>=0 else 1)',
    ).concat(" $OTHER"),
  ),
  does(
    "names another program as the owner of a signal",
    python(
      'import fcntl,os,socket,sys;a,b=socket.socketpair();fcntl.fcntl(a,8,int(sys.argv[1]));fcntl.fcntl(a,10,10);fcntl.fcntl(a,4,0o20000|2048);b.send(b"x")',
    ).concat(" $VICTIM; sleep 0.3"),
  ),
  does(
    "sets what the kernel is called to what it is",
    "n=$(cat /proc/sys/kernel/hostname) && echo $n > /proc/sys/kernel/hostname",
  ),
  does(
    "says where the kernel writes what died",
    'c=$(cat /proc/sys/kernel/core_pattern) && echo "$c" > /proc/sys/kernel/core_pattern',
  ),
  does("goes to another group of processes", "echo $$ > /sys/fs/cgroup/cgroup.procs"),
  does(
    "sets the kernel in a namespace of its own",
    "unshare -Urmpf --mount-proc sh -c 'c=$(cat /proc/sys/kernel/core_pattern) && echo \"$c\" > /proc/sys/kernel/core_pattern'",
  ),
  does("asks the kernel for its keys", "echo h > /proc/sysrq-trigger"),
  evil(
    ".git/hooks/pre-push",
    "unshare -Urm sh -c 'umount -l .git/hooks; mount -o remount,rw,bind .git/hooks; echo evil > .git/hooks/pre-push'",
  ),
  call(
    "loads a program into the kernel",
    [321, 280],
    "0,(ctypes.c_char*128)(1,0,0,0,4,0,0,0,4,0,0,0,1),72",
  ),
  call("opens a ring of requests", [425, 425], "8,(ctypes.c_char*240)()"),
  call("handles faults of memory", [323, 282], "0x80000"),
  does("opens packets", python("import socket;socket.socket(17,3,3)")),
  answers(
    "a server by the machine's own address",
    "curl -s -m 3 --noproxy '*' http://$ADDRESS:$PORT/",
  ),
  answers("a server by the machine's name", "curl -s -m 3 --noproxy '*' http://$(hostname):$PORT/"),
  answers(
    "a server by its own address and the proxy",
    "curl -s -m 3 --noproxy '' http://$ADDRESS:$PORT/",
  ),
  answers("a server by the proxy and no address", "curl -s -m 3 --noproxy '' 'http://[::]:'$PORT/"),
  answers(
    "a server by the proxy and an old number",
    "curl -s -m 3 --noproxy '' http://0177.0.0.1:$PORT/",
  ),
  answers(
    "a server by the proxy and a name with a point",
    "curl -s -m 3 --noproxy '' http://localhost.:$PORT/",
  ),
  answers(
    "a server through a tunnel by a mapped address",
    "curl -s -m 3 -p --noproxy '' 'http://[::ffff:7f00:1]:'$PORT/",
  ),
  answers(
    "a server by a datagram",
    python(
      'import socket,sys;s=socket.socket(2,2);s.settimeout(2);s.sendto(b"x",("127.0.0.1",int(sys.argv[1])));print(s.recv(99))',
    ).concat(" $UDP"),
  ),
  does("leaves a file where others look", "touch $SHARED/$MARK"),
  does("sees temporary files of others", "ls $SHARED/ | grep -q $SEEN"),
];

export const WORKTREE_ESCAPES: readonly EscapeVector[] = [
  evil("$ORIGIN/AGENTS.md"),
  evil("$ORIGIN/new-file"),
  evil("$ORIGIN/.git/hooks/post-commit"),
  evil("$ORIGIN/.git/objects/new"),
  evil("$ORIGIN/.envrc", "ln -sf $ORIGIN/.envrc l6; echo evil > l6"),
  evil("$ORIGIN/.npmrc", "ln -f $ORIGIN/.npmrc l7; echo evil > l7"),
  evil("$ORIGIN/.git/config", "git -C $ORIGIN config core.fsmonitor evil"),
  evil("$ORIGIN/node_modules/lib/index.js"),
  does(
    "commits in the project",
    "git -C $ORIGIN -c user.name=n -c user.email=e commit -q --no-verify --allow-empty -m evil",
  ),
  does("moves a branch of the project", "git -C $ORIGIN branch evil"),
  does("pushes to the project", "git push -q $ORIGIN HEAD:refs/heads/pushed"),
  does("makes a worktree of the project", "git -C $ORIGIN worktree add -q $PWD/w"),
  does(
    "removes a file of the project",
    "rm -f $ORIGIN/.vscode/settings.json && ! test -e $ORIGIN/.vscode/settings.json && test -d $ORIGIN/.vscode",
  ),
  evil("$ORIGIN/.git/refs/heads/made"),
  does("moves the project away", "mv $ORIGIN $ORIGIN-away && mv $ORIGIN-away $ORIGIN"),
];
