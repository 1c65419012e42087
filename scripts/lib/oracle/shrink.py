"""The smallest case that still shows a difference."""


def smaller_list(items, fails):
    """Leaves out elements, halves first and then one by one, for as long as `fails` holds."""
    size = max(len(items) // 2, 1)
    while items:
        start = 0
        removed = False
        while start < len(items):
            candidate = items[:start] + items[start + size :]
            if fails(candidate):
                items, removed = candidate, True
            else:
                start += size
        if size == 1 and not removed:
            return items
        size = max(size // 2, 1) if not removed or size > 1 else 1
    return items


def smaller_tree(tree, fails):
    """Replaces an audience by a branch of it, and leaves out branches, for as long as `fails` holds."""
    found = True
    while found:
        found = False
        for candidate in _simpler(tree):
            if fails(candidate):
                tree, found = candidate, True
                break
    return tree


def _simpler(tree):
    """The trees that are one step simpler."""
    if not isinstance(tree, dict) or len(tree) != 1:
        return
    ((kind, branches),) = tree.items()
    if kind not in ("all", "any", "none", "AND", "OR"):
        return
    yield from branches
    for index in range(len(branches)):
        yield {kind: branches[:index] + branches[index + 1 :]}
        for simpler in _simpler(branches[index]):
            yield {kind: branches[:index] + [simpler] + branches[index + 1 :]}


def smaller_object(value, fails, keep=()):
    """Leaves out members of an object, and of objects in it, for as long as `fails` holds."""
    for name in list(value):
        if name in keep:
            continue
        candidate = {key: member for key, member in value.items() if key != name}
        if fails(candidate):
            value = candidate
        elif isinstance(value[name], dict) and value[name]:
            inner = smaller_object(value[name], lambda part: fails({**value, name: part}))
            value = {**value, name: inner}
    return value
