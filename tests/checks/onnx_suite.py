"""Shapes against ONNX's own backend tests: what a model's outputs are declared as is taken away, and has to follow.
  python3 -B onnx_suite.py PROGRAM [FOLDER]

FOLDER has Debian's libonnx-testdata: of each test a model and, in files, what goes in and what comes out. All inputs but the
first become constants of the model, which is what says sizes and axes. The dimensions that `roofline inspect` then tells are
those of the file, in whatever order the graph has them. Ends with 1 where dimensions are wrong, a model is refused, what is
not known is a number, or fewer outputs are known than MOST_UNKNOWN allows; with 77 where the tests or python3-onnx are not there.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

MOST_UNKNOWN = 60
# what comes out depends on values of the first input, or is no tensor
BY_VALUE = ("adagrad adam compress gradient if_opt if_seq identity_opt loop momentum nonmaxsuppression nonzero optional "
            "scan sequence string tfidf training_mode unique").split()


def read(onnx, path):
    tensor = onnx.TensorProto()
    try:
        tensor.ParseFromString(path.read_bytes())
    except Exception:  # of another kind: protobuf's own errors differ by version
        return None
    return tensor


def without_shapes(onnx, model, data):
    """The model with constants in place of inputs, and no declared shape behind its inputs."""
    for k, value in list(enumerate(model.graph.input))[1:]:
        path = data / f"input_{k}.pb"
        tensor = read(onnx, path) if path.exists() and value.type.HasField("tensor_type") else None
        if tensor is not None:
            tensor.name = value.name
            model.graph.initializer.append(tensor)
            model.graph.input.remove(value)
    for value in model.graph.output:
        if value.type.HasField("tensor_type"):
            value.type.tensor_type.ClearField("shape")
    del model.graph.value_info[:]
    return model.SerializeToString()


def main(program, folder="/usr/share/libonnx-testdata/data"):
    try:
        import onnx
    except ImportError:
        print("SKIPPED: python3-onnx is not installed")
        return 77
    paths = sorted(pathlib.Path(folder).rglob("model.onnx"))
    if not paths:
        print(f"SKIPPED: no tests in {folder}: install libonnx-testdata")
        return 77
    known, unknown, wrong = 0, [], []
    for path in paths:
        name, data = path.parent.name, path.parent / "test_data_set_0"
        with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
            model = onnx.load(path)
            file.write(without_shapes(onnx, model, data))
            file.flush()
            run = subprocess.run([program, "inspect", file.name, "--format", "json"], capture_output=True, text=True)
        if run.returncode:
            wrong.append(f"{name}: {run.stderr.strip()[-160:]}")
            continue
        told = {op["tensor"]["name"]: op["tensor"] for op in json.loads(run.stdout)["ops"] if op.get("tensor")}
        for k, value in enumerate(model.graph.output):
            out = data / f"output_{k}.pb"
            tensor = read(onnx, out) if out.exists() else None
            if tensor is None or any(word in name.lower() for word in BY_VALUE):
                continue
            dims = told.get(value.name, {}).get("dims")
            if dims is None:
                unknown.append(name)
                if told.get(value.name, {}).get("elements") is not None:
                    wrong.append(f"{name}: {value.name} is not known, and has a number of elements")
            elif sorted(dims) == sorted(tensor.dims):
                known += 1
            else:
                wrong.append(f"{name}: {value.name} is {dims}, want {list(tensor.dims)}")
    print("\n".join(wrong))
    print(f"{known} outputs known, {len(unknown)} not, {len(wrong)} wrong")
    if len(unknown) > MOST_UNKNOWN:
        print("not known:", " ".join(unknown))
    return 1 if wrong or len(unknown) > MOST_UNKNOWN or not known else 0


sys.exit(main(*sys.argv[1:]))
