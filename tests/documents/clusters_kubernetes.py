"""What a cluster does with examples/kubernetes.yaml, as far as it can be done without one.

The manifest is checked against the schemas that Kubernetes publishes (the package kubernetes-validate carries them),
and the commands of its containers are run here, with the variables that a cluster would set, folders in place of the
volumes, and the rules of the manifest about pods that fail. Images, volumes and security contexts are not tried.
"""

import copy
import subprocess

import kubernetes_validate
import yaml

from clusters_slurm import under_way, left_checkpoint

# The oldest one that has all of it, and the newest one that the package knows.
VERSIONS = ["1.33", kubernetes_validate.latest_version()]


def read(manifest):
    """The documents of the manifest, checked; sees that wrong ones fail."""
    documents = list(yaml.safe_load_all(manifest.read_text(encoding="utf-8")))
    for version in VERSIONS:
        for document in documents:
            kubernetes_validate.validate(document, version, strict=True)
        shards = next(document for document in documents if document["metadata"]["name"] == "overtrick-shards")
        for change in [{"completions": "four"}, {"completionModus": "Indexed"}, {"template": {"spec": {}}}]:
            wrong = copy.deepcopy(shards)
            wrong["spec"] |= change
            try:
                kubernetes_validate.validate(wrong, version, strict=True)
            except kubernetes_validate.ValidationError:
                continue
            raise SystemExit(f"{change} passes the schema of Kubernetes {version}")
    return documents


class Kubernetes:
    """The manifest with a folder for each of its volumes."""

    def __init__(self, documents, folder, config):
        """Plays what `config` makes of the manifest's config."""
        self.of = {document["metadata"]["name"]: document["spec"] for document in documents if "spec" in document}
        self.data = next(document["data"] for document in documents if document["kind"] == "ConfigMap")
        self.shards = self.of["overtrick-shards"]["completions"]
        if str(self.shards) != self.data["shards"]:
            raise SystemExit(f"{self.shards} completions, but {self.data['shards']} shards")
        self.volumes = {"config": folder / "config", "data": folder / "data"}
        for path in self.volumes.values():
            path.mkdir(parents=True)
        self.config = self.volumes["config"] / "quick.toml"
        self.config.write_text(config(self.data["quick.toml"]), encoding="utf-8")

    def _start(self, container, program, index=None, **options):
        variables = {"PATH": f"{program.parent}:/usr/bin:/bin"}
        if index is not None:
            variables["JOB_COMPLETION_INDEX"] = str(index)
        for variable in container["env"]:
            (kind, source), = variable["valueFrom"].items()
            if kind == "configMapKeyRef":
                variables[variable["name"]] = self.data[source["key"]]
            elif kind == "resourceFieldRef":
                of, what = source["resource"].split(".")
                variables[variable["name"]] = container["resources"][of][what]
        words = container["command"] + container["args"]
        for mount in container["volumeMounts"]:
            words = [word.replace(mount["mountPath"] + "/", f"{self.volumes[mount['name']]}/") for word in words]
        return subprocess.Popen(words, env=variables, **options)

    def _action(self, code):
        """What the manifest wants done about a pod that ended so."""
        for rule in self.of["overtrick-shards"]["podFailurePolicy"]["rules"]:
            if code in rule.get("onExitCodes", {}).get("values", []):
                return rule["action"]
        return "Count"

    def play(self, program, log, stop=None):
        """Plays all shards, one after the other, while the merge waits; the shard of index `stop` is told to end
        half-way. Gives the exit codes of each shard's pods, and that of the merge: None if a shard failed."""
        wait, = self.of["overtrick-merge"]["template"]["spec"]["initContainers"]
        merge, = self.of["overtrick-merge"]["template"]["spec"]["containers"]
        with open(log, "a", encoding="utf-8") as file:
            said = {"stdout": file, "stderr": file}
            waiting = self._start(wait, program, **said)
            try:
                codes = [self._pods(index, program, said, index == stop) for index in range(self.shards)]
                if any(ended[-1] for ended in codes):
                    return codes, None
                if waiting.wait() != 0:
                    raise SystemExit(f"waiting for shards ended with code {waiting.returncode}; see {log}")
            finally:
                # What the deadline does in a cluster.
                waiting.terminate()
                waiting.wait()
            return codes, self._start(merge, program, **said).wait()

    def _pods(self, index, program, said, stop):
        """The exit codes of the pods that a shard takes."""
        spec = self.of["overtrick-shards"]
        container, = spec["template"]["spec"]["containers"]
        shard = self.volumes["data"] / f"quick/shards/{index + 1}-of-{self.shards}"
        codes, failures = [], 0
        while len(codes) < 10:
            pod = self._start(container, program, index, **said)
            if stop and not codes:
                under_way(shard)
                # As Kubernetes does it: the first process alone gets the signal.
                pod.terminate()
                pod.wait()
                left_checkpoint(shard)
            codes.append(pod.wait())
            action = self._action(codes[-1])
            failures += action == "Count"
            if codes[-1] == 0 or action == "FailIndex" or failures > spec["backoffLimitPerIndex"]:
                return codes
        raise SystemExit(f"pods of shard {index + 1} end with {codes}")
