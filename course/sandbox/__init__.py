"""Where a submission's code runs: a warm parent, walls around each child, rights taken away, limits kept.

    with Zygote(preload, target="module:function", limits=Limits(memory=1 << 30)) as zygote:
        with zygote.spawn() as sandbox:
            sandbox.sock.sendall(...)

Its face: `zygote.Zygote` and the `Sandboxed` that it spawns, `limits.Limits` and `SandboxUnavailable`,
`trial.available`. Inside, `forkserver` is the warm parent, whose forks `pages` makes cheap, `begin` starts a sandbox,
`namespaces` makes the walls, `rights` takes rights away, `reaper` is pid 1 in each sandbox, `line` says
how long a process had no processor. Nothing here knows of notebooks.
"""
