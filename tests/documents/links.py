"""Checks the links of all pages: each file is there, with the heading that an anchor names, and docs/SUMMARY.md lists
every page of docs."""

import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[2]
docs = root / "docs"
pages = [*sorted(docs.rglob("*.md")), *sorted(root.glob("*.md")), root / "python/README.md"]
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def without_code(text):
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def anchors(page):
    """The anchors of a page's headings, as GitHub and mdBook make them."""
    names = set()
    for heading in re.findall(r"^#+ (.+)$", without_code(page.read_text()), flags=re.MULTILINE):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        names.add(re.sub(r"[^\w\- ]", "", text).strip().replace(" ", "-"))
    return names


problems = []
count = 0
for page in pages:
    for link in LINK.findall(without_code(page.read_text())):
        if re.match(r"[a-z]+:", link):
            continue
        count += 1
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists():
            problems.append(f"{page.relative_to(root)}: {link}: there is no such file")
        elif anchor and target.suffix == ".md" and anchor not in anchors(target):
            problems.append(f"{page.relative_to(root)}: {link}: there is no such heading")
listed = {(docs / link).resolve() for link in LINK.findall((docs / "SUMMARY.md").read_text())}
for page in docs.rglob("*.md"):
    if page.name != "SUMMARY.md" and page.resolve() not in listed:
        problems.append(f"docs/SUMMARY.md: {page.relative_to(docs)} is missing")
print(f"{count} links in {len(pages)} pages")
sys.exit("\n".join(problems) if problems else 0)
