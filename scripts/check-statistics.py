"""Asks the probe what reports would say, and compares with other implementations on random data."""

import json
import random
import subprocess
import sys

import numpy
from gbstats.frequentist.tests import SequentialConfig, SequentialTwoSidedTTest
from gbstats.models.statistics import SampleMeanStatistic
from savvi.multinomial import Multinomial
from scipy import stats
from statsmodels.stats.proportion import proportion_confint
from statsmodels.stats.weightstats import DescrStatsW

ROUNDS = 300
probe = subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
chance = random.Random(7)
numbers = numpy.random.default_rng(7)
checked = 0


def ask(question):
    probe.stdin.write(json.dumps(question) + "\n")
    probe.stdin.flush()
    return json.loads(probe.stdout.readline())


def same(what, ours, theirs, tolerance=1e-8):
    global checked
    checked += 1
    # A p-value far below anything that is printed may differ in what is left of it.
    if not numpy.allclose(ours, theirs, rtol=tolerance, atol=1e-12):
        sys.exit(f"{what}: we say {ours}, the other says {theirs}")


def described(values):
    return {
        "count": len(values),
        "active": int((values != 0).sum()),
        "sum": float(values.sum()),
        "squares": float((values**2).sum()),
    }


def amounts(count, rate, scale):
    return numbers.binomial(1, rate, count) * numpy.round(numbers.lognormal(3, 1, count) * scale, 2)


def check_rates():
    for _ in range(ROUNDS):
        trials = chance.choice([1, 2, 7, 40, 1000, 123_456])
        successes = chance.choice([0, trials, chance.randint(0, trials)])
        confidence = chance.choice([0.8, 0.95, 0.99])
        ours = ask({"ask": "wilson", "successes": successes, "trials": trials, "confidence": confidence})
        same("Wilson", ours, proportion_confint(successes, trials, 1 - confidence, method="wilson"))
        p = chance.random() ** chance.choice([1, 20])
        same("normal quantile", ask({"ask": "normal_quantile", "p": p}), stats.norm.ppf(p))


def check_means():
    for _ in range(ROUNDS):
        values = amounts(chance.randint(2, 400), 0.4, 1)
        other = amounts(chance.randint(2, 400), 0.3, 1.5)
        if values.std() == 0 or other.std() == 0:
            continue
        ours = ask({"ask": "mean", "sample": described(values), "confidence": 0.95})
        same("mean", ours["mean"], values.mean())
        same("variance", ours["variance"], values.var(ddof=1), 1e-6)
        same("Student's interval", ours["interval"], DescrStatsW(values).tconfint_mean(0.05), 1e-6)
        ours = ask({"ask": "welch", "sample": described(values), "baseline": described(other)})
        theirs = stats.ttest_ind(values, other, equal_var=False)
        same(
            "Welch",
            [ours["statistic"], ours["p_value"], ours["degrees_of_freedom"]],
            [theirs.statistic, theirs.pvalue, theirs.df],
            1e-6,
        )


def statistic(values):
    return SampleMeanStatistic(n=len(values), sum=float(values.sum()), sum_squares=float((values**2).sum()))


def fieller(mean, base, errors, reach):
    """The ratios that are not rejected, found by walking along them."""
    ratios = numpy.linspace(mean / base - 3, mean / base + 3, 600_001)
    kept = ratios[numpy.abs(mean - ratios * base) <= reach * numpy.sqrt(errors[0] + ratios**2 * errors[1])]
    return [kept.min() - 1, kept.max() - 1]


def check_comparisons():
    for number in range(ROUNDS):
        count = chance.randint(300, 4000)
        if number % 2:
            values = numbers.binomial(1, chance.uniform(0.1, 0.3), count).astype(float)
            base = numbers.binomial(1, 0.2, chance.randint(300, 4000)).astype(float)
        else:
            values, base = amounts(count, 0.3, chance.uniform(1, 1.6)), amounts(count, 0.3, 1)
        family = chance.choice([1, 1, 3])
        ours = ask(
            {
                "ask": "compare",
                "sample": described(values),
                "baseline": described(base),
                "spread": "separate",
                "error": 0.05,
                "family": family,
            }
        )
        # Theirs tunes its mixture by alpha as well, so only one comparison at 5 % has the same.
        theirs = SequentialTwoSidedTTest(
            statistic(base), statistic(values), SequentialConfig(difference_type="absolute", alpha=0.05)
        )
        same("sequential p-value", ours["p_value"], min(1, theirs.p_value * family), 1e-6)
        if family > 1:
            continue
        same("confidence sequence", ours["difference_interval"], theirs.confidence_interval, 1e-6)
        errors = [values.var(ddof=1) / len(values), base.var(ddof=1) / len(base)]
        width = (theirs.confidence_interval[1] - theirs.confidence_interval[0]) / 2
        if ours["lift_interval"] and number < 60:
            expected = fieller(values.mean(), base.mean(), errors, width / numpy.sqrt(sum(errors)))
            same("lift", [round(x, 4) for x in ours["lift_interval"]], [round(x, 4) for x in expected], 3e-3)


def check_ratios():
    for _ in range(ROUNDS):
        weights = numpy.array([chance.choice([1, 2, 5, 9]) for _ in range(chance.randint(2, 5))], dtype=float)
        # Halves, quarters and so on add up to exactly 1, which the other asks for.
        shares = weights / weights.sum()
        shares[-1] = 1 - shares[:-1].sum()
        if shares.sum() != 1:
            continue
        counts = numbers.multinomial(chance.randint(10, 20_000), numbers.dirichlet(shares * 2000))
        ours = ask({"ask": "sample_ratio", "groups": [{"weights": list(weights), "counts": [int(c) for c in counts]}]})
        theirs = stats.chisquare(counts, shares * counts.sum())
        same("chi-square", [ours["chi_square"], ours["single_look_p_value"]], [theirs.statistic, theirs.pvalue], 1e-7)
        anytime = Multinomial(0.05, shares, k=100)
        anytime.update(counts)
        same("sequential ratio", ours["p_value"], min(1, anytime.calculate_p_value()), 1e-6)


check_rates()
check_means()
check_comparisons()
check_ratios()
probe.stdin.close()
probe.wait()
print(f"Statistics: {checked} figures agree with SciPy, statsmodels, gbstats and savvi.")
