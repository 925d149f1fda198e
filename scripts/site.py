"""What mkdocs has to be told of pages that are written for GitHub (mkdocs.yml): its Markdown wants an empty line before a list, knows no
name of a file behind the language of a block, and has no page for a file outside of docs/."""
import re


def on_page_markdown(markdown, page, files, **_):
    known = {file.src_path for file in files}
    folder = page.file.src_path.rpartition("/")[0]

    def inside(link):
        path = []
        for name in [*folder.split("/"), *link[2].partition("#")[0].split("/")]:
            path = path[:-1] if name == ".." and path else [*path, name] if name not in ("", ".") else path
            if name == ".." and link[2].count("../") > (folder.count("/") + 1 if folder else 0):
                return link[1]
        return link[0] if "/".join(path) in known or not link[2].partition("#")[0] else link[1]

    parts = re.split(r"(^```.*?^```$)", markdown, flags=re.M | re.S)
    for i, part in enumerate(parts):
        if i % 2:
            parts[i] = re.sub(r"^```(\w+) .*", r"```\1", part)
        else:
            part = re.sub(r"\[([^\]]*)\]\((?![a-z]+:)([^)\s]+)\)", inside, part)
            parts[i] = re.sub(r"(?m)^((?![-|>#]|\d+\. | |$).*\n)(?=(?:- |\d+\. ))", r"\1\n", part)
    return "".join(parts)
