"""Names attacks, runs them and counts which held."""

import re
import time
import traceback

from .clock import Broken


def check(condition, message):
    """Fails the attack unless the condition holds."""
    if not condition:
        raise Broken(message)


class Topic:
    """Attacks of one kind, in the order in which they run."""

    def __init__(self, name):
        self.name, self.entries = name, []

    def attack(self, sentence):
        """Adds a function of the world as one attack; the sentence says what it proves."""

        def add(function):
            self.entries.append(lambda world: [(sentence, lambda: function(world))])
            return function

        return add

    def family(self, function):
        """Adds a generator of the world that yields sentences with functions, an attack each."""
        self.entries.append(function)
        return function

    def attacks(self, world):
        """Yields the attacks; what a family does between two of them runs at that time."""
        for entry in self.entries:
            try:
                yield from entry(world)
            except Exception as error:
                yield f"{self.name}: the attacks can be prepared", raising(error)


def without_secrets(text):
    """A text for people and logs: keys are worth little here, and still no one should get used to reading them."""
    return re.sub(r"\b(sk|pk|whsec)_\w{8,}", r"\1_…", text)


def raising(error):
    def fail():
        raise error

    return fail


class Run:
    """Runs topics against a world and prints a line for each attack."""

    SLOW = 3.0

    def __init__(self, world, is_verbose):
        self.world, self.is_verbose = world, is_verbose
        self.held, self.failures, self.names, self.seconds = 0, [], set(), {}

    def topic(self, topic):
        """Runs every attack of a topic; after each, the server has to be alive."""
        print(f"== {topic.name}", flush=True)
        start, server, own = time.monotonic(), self.world.processor_seconds, time.process_time()
        for sentence, function in topic.attacks(self.world):
            self.attack(topic, sentence, function)
        self.seconds[topic.name] = [
            time.monotonic() - start,
            self.world.processor_seconds - server,
            time.process_time() - own,
        ]

    def attack(self, topic, sentence, function):
        start = time.monotonic()
        problem = "another attack has this name" if sentence in self.names else self.problem(function)
        self.names.add(sentence)
        problem = self.world.revive() or problem
        taken = time.monotonic() - start
        slow = f" ({taken:.1f} s)" if taken > self.SLOW else ""
        if problem:
            self.failures.append([topic.name if topic else "The end", sentence, problem])
            print(f"FAILED  {sentence}{slow}: {problem}", flush=True)
        else:
            self.held += 1
            print(f"held    {sentence}{slow}", flush=True)

    def problem(self, function):
        """Returns what went wrong in an attack, or None."""
        try:
            function()
        except Broken as broken:
            return without_secrets(str(broken))[:600]
        except Exception as error:
            if self.is_verbose:
                traceback.print_exc()
            return without_secrets(f"{type(error).__name__}: {error}")[:600]
        return None

    def finish(self):
        """Checks at the end that the server has not grown beyond bounds."""
        if self.world.server.is_running:
            self.attack(
                None,
                f"After {len(self.names)} attacks the server's memory and open files are bounded",
                self.world.is_bounded,
            )

    @property
    def results(self):
        return {"held": self.held, "failures": self.failures, "seconds": self.seconds}


def summary(results, is_verbose):
    """Prints what failed and the closing line, and returns the exit status."""
    print()
    for name, sentence, problem in results["failures"]:
        print(f"{name}: {sentence}: {problem}")
    if is_verbose:
        print("  in all   server   client  (seconds; of the last two the processors' time)")
        for name, seconds in sorted(results["seconds"].items(), key=lambda pair: -pair[1][0]):
            print("".join(f"{each:8.1f} " for each in seconds), name)
    print(f"Attacks: {results['held']} passed, {len(results['failures'])} failed")
    return 1 if results["failures"] or not results["held"] else 0
