"""Two clusters for examples/slurm.sh: Slurm itself, on this machine alone, and a stand-in that sets the same variables.

Slurm wants Debian's slurmctld, slurmd, slurm-client and munge, and root. It has a configuration, ports and a folder of
its own, and ends with the test. The stand-in's `sbatch` writes down what it was asked for; `play` then does that, task
by task.
"""

import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

CONFIG = """
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
# A task that will be started again waits for as long as its credentials hold.
AuthInfo=socket={folder}/munge.sock,cred_expire=5
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=2
MailProg=/bin/true
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory={memory}
PartitionName=main Nodes=ALL Default=YES State=UP MaxTime=INFINITE
"""


def wait_for(what, true, seconds=120, pause=0.2):
    """Waits until `true()`, and says what it waited for if that never comes."""
    end = time.monotonic() + seconds
    while not (value := true()):
        if time.monotonic() > end:
            raise SystemExit(f"{what}: not within {seconds} s")
        time.sleep(pause)
    return value


def under_way(shard):
    """Waits until a shard that takes some seconds has been played for a moment."""
    wait_for(f"{shard} begins", shard.exists, pause=0.02)
    time.sleep(0.3)


def left_checkpoint(shard):
    if not (shard / "checkpoint.bin").exists() or (shard / "tally.bin").exists():
        raise SystemExit(f"{shard} was stopped half-way, but has no checkpoint or is finished")


class Unavailable(Exception):
    """Why Slurm cannot be had here."""


class Slurm:
    """Slurm with one node."""

    def __init__(self, logs):
        """Starts it; what its programs say goes into the folder `logs`."""
        if os.geteuid() != 0:
            raise Unavailable("only root can start it")
        os.environ["PATH"] += ":/usr/sbin"
        for program in ["munged", "slurmctld", "slurmd", "sbatch"]:
            if not shutil.which(program):
                raise Unavailable(f"there is no {program}")
        self.programs = []
        self.logs = logs
        # Others must be able to reach the socket, whose path must be short.
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.folder.chmod(0o755)
        try:
            self._start()
        except BaseException:
            self.end()
            raise

    def _start(self):
        (self.folder / "munge.key").write_bytes(os.urandom(1024))
        (self.folder / "munge.key").chmod(0o600)
        (self.folder / "state").mkdir()
        listeners = [socket.create_server(("", 0)) for _ in range(2)]
        ports = [listener.getsockname()[1] for listener in listeners]
        for listener in listeners:
            listener.close()
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20
        config = self.folder / "slurm.conf"
        host = socket.gethostname().split(".")[0]
        config.write_text(CONFIG.format(folder=self.folder, ports=ports, host=host, cpus=os.cpu_count(), memory=memory))
        self.environment = {**os.environ, "SLURM_CONF": str(config)}
        files = {"socket": "sock", "key-file": "key", "pid-file": "pid", "seed-file": "seed"}
        names = [f"--{name}={self.folder}/munge.{end}" for name, end in files.items()]
        self._program("munged", "--force", "--foreground", *names)
        self._until("munged", (self.folder / "munge.sock").exists)
        self._program("slurmctld", "-D")
        self._program("slurmd", "-D")
        self._until("the node", lambda: self._ask("sinfo", "-h", "-o", "%t") == "idle")
        self.version = self._ask("sbatch", "--version")

    def _program(self, *words):
        with open(self.logs / f"{words[0]}.log", "w", encoding="utf-8") as log:
            self.programs.append(subprocess.Popen(words, env=self.environment, stdout=log, stderr=log))

    def _until(self, what, true):
        end = time.monotonic() + 30
        while not true():
            dead = [program.args[0] for program in self.programs if program.poll() is not None]
            if dead or time.monotonic() > end:
                raise Unavailable(f"{what} does not come up; see {self.logs}/{(dead or ['slurmctld'])[0]}.log")
            time.sleep(0.2)

    def _ask(self, *words):
        done = subprocess.run(words, env=self.environment, capture_output=True, text=True)
        return done.stdout.strip()

    def play(self, array, merge, shards, stop=None):
        """Waits for the jobs. The shard of the folder `stop` is stopped half-way and put into the queue again. Gives
        the states of all shards in order, and that of the merge."""
        if stop:
            task = f"{array}_{stop.name.split('-')[0]}"
            under_way(stop)
            subprocess.run(["scontrol", "requeue", task], env=self.environment, check=True)
            wait_for("the shard stops", lambda: self._state(task) == "PENDING")
            left_checkpoint(stop)
        wait_for("the jobs end", lambda: not self._ask("squeue", "-h"), 300)
        if stop and "Restarts=1 " not in self._ask("scontrol", "show", "job", task, "--oneliner"):
            raise SystemExit(f"{task} was not started again")
        return [self._state(f"{array}_{number}") for number in range(1, shards + 1)], self._state(merge)

    def _state(self, job):
        told = self._ask("scontrol", "show", "job", job, "--oneliner")
        return re.search(r" JobState=(\w+)", told)[1]

    def end(self):
        for program in reversed(self.programs):
            program.terminate()
            program.wait()
        shutil.rmtree(self.folder)


class StandIn:
    """Not Slurm: an `sbatch` that writes down what it is asked for."""

    version = "a stand-in for Slurm"

    def __init__(self, logs):
        self.asked = logs / "sbatch.jsonl"
        (logs / "bin").mkdir()
        sbatch = logs / "bin/sbatch"
        record = f"import json, sys; file = open({str(self.asked)!r}, 'a'); print(json.dumps(sys.argv[1:]), file=file)"
        count = f"wc -l < {self.asked}"
        sbatch.write_text(f'#!/bin/sh\n"{sys.executable}" -c "{record}" "$@" && {count}\n')
        sbatch.chmod(0o755)
        self.environment = {**os.environ, "PATH": f"{logs / 'bin'}:{os.environ['PATH']}"}

    def _job(self, job):
        """The options of a job and its command."""
        words = json.loads(self.asked.read_text(encoding="utf-8").splitlines()[int(job) - 1])
        count = next(at for at, word in enumerate(words) if not word.startswith("--"))
        options = dict(word[2:].split("=", 1) for word in words[:count] if "=" in word)
        return options, words[count:]

    def _start(self, job, task, restarts=0):
        options, command = self._job(job)
        variables = {"SLURM_JOB_ID": job, "SLURM_CPUS_PER_TASK": options["cpus-per-task"]}
        if task:
            variables |= {"SLURM_ARRAY_JOB_ID": job, "SLURM_ARRAY_TASK_ID": str(task)}
        if restarts:
            variables["SLURM_RESTART_COUNT"] = str(restarts)
        with open(options["output"].replace("%a", str(task)), "a", encoding="utf-8") as log:
            return subprocess.Popen(command, env=self.environment | variables, stdout=log, stderr=log,
                                    start_new_session=True)

    def play(self, array, merge, shards, stop=None):
        """As Slurm's."""
        if self._job(array)[0]["array"] != f"1-{shards}" or self._job(merge)[0]["dependency"] != f"afterok:{array}":
            raise SystemExit(f"other jobs were expected than {self.asked.read_text(encoding='utf-8')}")
        states = []
        for task in range(1, shards + 1):
            job = self._start(array, task)
            if stop and stop.name.startswith(f"{task}-"):
                under_way(stop)
                # As Slurm does it: every process of the task gets the signal.
                os.killpg(job.pid, signal.SIGTERM)
                job.wait()
                left_checkpoint(stop)
                job = self._start(array, task, restarts=1)
            states.append("FAILED" if job.wait() else "COMPLETED")
        if "FAILED" in states:
            return states, "CANCELLED"
        return states, "FAILED" if self._start(merge, None).wait() else "COMPLETED"

    def end(self):
        """Nothing is left of it."""
